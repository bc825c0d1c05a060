/** Writes audit entries in the transaction of the change that they describe. */
import type { Reader } from "../../events/caller.ts";
import { defineInsert, sendRows } from "../../storage/inserting/insert.ts";
import type { Writer } from "../../storage/rows.ts";
import type { AuditActor } from "../../vocabulary/states.ts";

/** The record that was changed. */
export interface AuditSubject {
  readonly noun: string;
  readonly id: number;
}

export interface AuditEntry {
  /** The name of an operation, or of what is no operation, such as `signIn`. */
  readonly operation: string;
  readonly actor: { readonly type: AuditActor; readonly id: number | null };
  /** null for what is outside of every workspace. */
  readonly workspaceId: number | null;
  /** null for the whole workspace. */
  readonly locationId: number | null;
  /** The client's IP address; null at the terminal. */
  readonly address: string | null;
  readonly subject: AuditSubject | null;
  /** Facts besides: neither secrets nor texts that people typed, at most `mostDetails` characters of JSON. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** More is replaced by `{"truncated": true}`. */
const mostDetails = 8192;

const auditInsert = defineInsert(
  "audit_entries",
  [
    "workspace_id",
    "location_id",
    "operation",
    "actor_type",
    "actor_id",
    "address",
    "subject",
    "subject_id",
    "details",
    "created_at",
  ],
  { leaves: ["position", "hash"] },
);

/** Inserts the entries with the next statement of the transaction. The worker chains them later (chain.ts). */
export function recordAudit(writer: Writer, now: Date, ...entries: readonly AuditEntry[]): void {
  sendRows(
    writer,
    auditInsert,
    entries.map(({ operation, actor, workspaceId, locationId, address, subject, details }) => ({
      workspace_id: workspaceId ?? 0,
      location_id: locationId,
      operation,
      actor_type: actor.type,
      actor_id: actor.id ?? 0,
      address,
      subject: subject?.noun ?? null,
      subject_id: subject?.id ?? null,
      details: writeDetails(details),
      created_at: now,
    })),
  );
}

function writeDetails(details: AuditEntry["details"]): string | null {
  if (details === undefined || Object.keys(details).length === 0) return null;
  const text = JSON.stringify(details);
  return text.length > mostDetails ? '{"truncated":true}' : text;
}

/** The actor and the place of a caller, for an entry. The operator is not the service: both are `system` in events. */
export function auditOrigin(
  reader: Pick<Reader, "actor" | "grant" | "address" | "workspaceId" | "location">,
): Pick<AuditEntry, "actor" | "address" | "workspaceId" | "locationId"> {
  const { actor, grant, address, workspaceId, location } = reader;
  return {
    actor: grant.role === "operator" ? { type: "operator", id: null } : { type: actor.type, id: actor.id },
    address,
    workspaceId: workspaceId === 0 ? null : workspaceId,
    locationId: location?.id ?? null,
  };
}
