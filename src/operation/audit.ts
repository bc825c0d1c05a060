/** The audit entry of every successful change: the operation, the actor, the location and the record. */
import type { Reader } from "../events/caller.ts";
import type { Actor } from "../events/actor.ts";
import { JsonText } from "../kit/json-text.ts";
import type { AnyOperation, AuditSubject } from "./operation.ts";
import type { Outcome } from "./outcome.ts";

export interface AuditEntry {
  readonly operation: string;
  readonly actor: Actor;
  /** null for operations that are outside every workspace. */
  readonly workspaceId: number | null;
  /** null for operations on the whole workspace. */
  readonly locationId: number | null;
  readonly subject: AuditSubject;
}

export type Audit = (entry: AuditEntry) => void;

/** `found`: the records that the operation looked up, outermost first. */
export function toAuditEntry(
  operation: AnyOperation,
  reader: Reader,
  found: Readonly<Record<string, unknown>>,
  { body }: Outcome,
): AuditEntry {
  return {
    operation: operation.name,
    actor: reader.actor,
    workspaceId: operation.within === "service" || operation.within === "account" ? null : reader.workspaceId,
    locationId: reader.location?.id ?? null,
    subject: subjectOf(operation, found, body),
  };
}

function subjectOf(operation: AnyOperation, found: Readonly<Record<string, unknown>>, body: unknown): AuditSubject {
  if (operation.audit !== undefined) return operation.audit(body);
  const innermost = operation.find.at(-1);
  if (innermost !== undefined) return { noun: innermost.noun, id: idOf(found[innermost.noun]) ?? 0 };
  const id = body instanceof JsonText ? undefined : idOf(body);
  return id === undefined ? null : { noun: operation.noun, id };
}

function idOf(record: unknown): number | undefined {
  if (typeof record !== "object" || record === null || !("id" in record)) return undefined;
  return typeof record.id === "number" ? record.id : undefined;
}
