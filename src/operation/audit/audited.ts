/** The audit entry of an operation: its subject is a record that was looked up, or one that the result names. */
import type { Caller, Change, LocationContext, Reader } from "../../events/caller.ts";
import { JsonText } from "../../kit/json-text.ts";
import type { AnyOperation } from "../operation.ts";
import { auditOrigin, recordAudit } from "./record-audit.ts";
import type { FactsOfChange } from "./audit-facts.ts";
import type { AuditEntry } from "./record-audit.ts";

/** The arguments of the operation, and the input as it was parsed. */
type Arguments = Readonly<Record<string, unknown>>;

/** Writes the entry of a change into its transaction. */
export async function auditChange(
  operation: AnyOperation,
  change: Change<LocationContext>,
  args: Arguments,
  body: unknown,
): Promise<void> {
  const entries = await toEntries(operation, change, args, body);
  if (entries.length > 0) recordAudit(change, change.now, ...entries);
}

/** Writes the entry of a read, such as an export: before its result is given out, in a transaction of its own. */
export async function auditRead(
  operation: AnyOperation,
  caller: Caller<LocationContext>,
  args: Arguments,
  body: unknown,
): Promise<void> {
  const entries = await toEntries(operation, caller, args, body);
  if (entries.length > 0) await caller.change(async (change) => recordAudit(change, change.now, ...entries));
}

/**
 * A caller whose first change writes the entry: for steps, which open their changes themselves. The result of that change names the subject,
 * where none was looked up.
 */
export function auditedFirst(
  operation: AnyOperation,
  caller: Caller<LocationContext>,
  args: Arguments,
): Caller<LocationContext> {
  let isWritten = false;
  return {
    ...caller,
    async change(work, size) {
      if (isWritten) return caller.change(work, size);
      const result = await caller.change(async (change) => {
        const made = await work(change);
        await auditChange(operation, change, args, made);
        return made;
      }, size);
      isWritten = true;
      return result;
    },
  };
}

async function toEntries(
  operation: AnyOperation,
  reader: Reader<LocationContext>,
  args: Arguments,
  body: unknown,
): Promise<AuditEntry[]> {
  const { audit } = operation;
  if (audit === undefined) return [];
  const facts = audit === "found" ? subjectFound(operation, args) : await audit(readable(body), args, reader);
  if (facts === undefined) return [];
  const origin = auditOrigin(reader);
  const entry = {
    operation: operation.name,
    ...origin,
    subject: facts === null ? null : { noun: facts.noun, id: facts.id },
    details: { ...fieldsOf(operation, args["input"]), ...facts?.details },
  };
  return (facts?.workspaceIds ?? [origin.workspaceId]).map((workspaceId) => ({ ...entry, workspaceId }));
}

function readable(body: unknown): unknown {
  return body instanceof JsonText ? (JSON.parse(body.text) as unknown) : body;
}

/** The innermost record that the operation looked up. */
function subjectFound({ name, find }: AnyOperation, args: Arguments): FactsOfChange {
  const noun = find.at(-1)?.noun;
  const record = noun === undefined ? undefined : args[noun];
  if (noun === undefined || typeof record !== "object" || record === null || !("id" in record))
    throw new Error(`${name} looks up no record that its audit entry could name`);
  return { noun, id: record.id as number };
}

/** The names of the input fields, without their values: these may be secrets, or texts about people. */
function fieldsOf({ input }: AnyOperation, given: unknown): AuditEntry["details"] {
  if (input === undefined || typeof given !== "object" || given === null) return {};
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return names.length === 0 ? {} : { fields: names };
}
