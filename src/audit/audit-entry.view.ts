/** The response shape of an audit entry. */
import { z } from "zod";
import { pageQuery, pageOf } from "../kit/page-shapes.ts";
import { nullableTimestamp } from "../kit/input/fields.ts";
import { toTimestamp } from "../kit/time/timestamp.ts";
import { auditActors } from "../vocabulary/states.ts";
import type { AuditActor } from "../vocabulary/states.ts";

const specimen = {
  id: 12,
  operation: "createApiKey",
  actor: { type: "user", id: 1, name: "Grace Hopper" },
  address: "203.0.113.7",
  location_id: null,
  subject: { type: "api_key", id: 3 },
  details: { fields: ["name", "scopes"], scopes: ["contacts.readonly"], location_ids: null },
  created_at: "2026-03-01T12:00:00.000Z",
  position: 12,
  hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
} as const;

const auditEntryView = z
  .object({
    id: z.int(),
    operation: z.string().describe("The operation, or signIn, signInFailed, installApp and others that are none."),
    actor: z.object({
      type: z.enum(auditActors),
      id: z.int().nullable(),
      name: z.string().nullable().describe("The name as it is now; null for a removed record."),
    }),
    address: z.string().nullable().describe("The client's IP address; null at the terminal."),
    location_id: z.int().nullable(),
    subject: z.object({ type: z.string(), id: z.int() }).nullable().describe("The record that was changed."),
    details: z.record(z.string(), z.unknown()).describe("The names of the fields that were given, and facts besides."),
    created_at: z.iso.datetime(),
    position: z.int().nullable().describe("The position in the hash chain; null until the worker has chained it."),
    hash: z.string().nullable(),
  })
  .meta({ id: "AuditEntry", description: "Who did what, when, and from where.", examples: [specimen] });

export type AuditEntryView = z.output<typeof auditEntryView>;

export const auditListView = pageOf(auditEntryView).meta({
  id: "AuditEntryList",
  description: "A page of audit entries, latest first.",
});

export const auditQuery = pageQuery.extend({
  actor: z
    .string()
    .regex(/^(user|api_key|app):[1-9]\d{0,15}$|^(operator|system|workflow|contact|anonymous)$/, {
      error: 'must be a type and an id such as "user:12" or "api_key:3", or "operator", "system" or "anonymous".',
    })
    .optional()
    .describe("Only entries of this actor."),
  operation: z
    .string()
    .regex(/^\w{1,64}$/, { error: "must be the name of an operation, such as createApiKey." })
    .optional()
    .describe("Only entries of this operation."),
  since: nullableTimestamp().describe("Only entries from this time on."),
  until: nullableTimestamp().describe("Only entries before this time."),
});

/** The selected row. */
export interface AuditRow {
  readonly id: number;
  readonly operation: string;
  readonly actor_type: AuditActor;
  readonly actor_id: number;
  readonly actor_name: string | null;
  readonly address: string | null;
  readonly location_id: number | null;
  readonly subject: string | null;
  readonly subject_id: number | null;
  readonly details: string | null;
  readonly created_at: number;
  readonly position: number | null;
  readonly hash: string | null;
}

export function toAuditEntryView(row: AuditRow): AuditEntryView {
  return {
    id: row.id,
    operation: row.operation,
    actor: { type: row.actor_type, id: row.actor_id === 0 ? null : row.actor_id, name: row.actor_name },
    address: row.address,
    location_id: row.location_id,
    subject: row.subject === null ? null : { type: row.subject, id: row.subject_id! },
    details: row.details === null ? {} : (JSON.parse(row.details) as Record<string, unknown>),
    created_at: toTimestamp(row.created_at),
    position: row.position,
    hash: row.hash,
  };
}
