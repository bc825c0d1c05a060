/** The tables of the audit log: append-only entries, and one row with the two ends of their hash chain. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { auditActors } from "../../vocabulary/states.ts";

const listed = ["createdAt", "id"] as const;

/** Plain ids, no relations and no names: an entry outlives the records that it names, and holds no text that they contain. */
export const AuditEntry = defineEntity({
  name: "AuditEntry",
  tableName: "audit_entries",
  uniques: [{ name: "audit_entries_position", properties: ["position"] }],
  // One for each combination of filters, each in the order of the list.
  indexes: [
    { name: "audit_entries_of_workspace", properties: ["workspaceId", ...listed] },
    { name: "audit_entries_of_operation", properties: ["workspaceId", "operation", ...listed] },
    { name: "audit_entries_of_actor", properties: ["workspaceId", "actorType", "actorId", ...listed] },
    {
      name: "audit_entries_of_actor_operation",
      properties: ["workspaceId", "actorType", "actorId", "operation", ...listed],
    },
    // An expression: the schema diff reports a partial index that is written as properties as changed every time.
    {
      name: "audit_entries_unchained",
      expression: 'create index "audit_entries_unchained" on "audit_entries" ("id") where "position" is null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    /** 0: the service itself, outside of every workspace. */
    workspaceId: p.type(Integer),
    locationId: p.type(Integer).nullable(),
    operation: p.text(),
    actorType: p.enum(auditActors),
    /** 0 for an actor without an id, such as the operator. */
    actorId: p.type(Integer),
    /** The client's IP address; null at the terminal and for the service's own work. */
    address: p.text().nullable(),
    /** The noun and id of the record that was changed; null for a change without a single record. */
    subject: p.text().nullable(),
    subjectId: p.type(Integer).nullable(),
    /** A JSON object of facts, none of which is a secret or a text that a person typed; null for none. */
    details: p.text().nullable(),
    createdAt: p.datetime(3),
    /** The position in the chain, and the hash that covers the entry and the hash before it; null until the worker chains it. */
    position: p.type(Integer).nullable(),
    hash: p.text().nullable(),
  },
});

/** A single row. */
export const AuditLog = defineEntity({
  name: "AuditLog",
  tableName: "audit_log",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    lastPosition: p.type(Integer).default(0),
    lastHash: p.text(),
    /** The last entry that retention removed: the chain begins after it. */
    anchorPosition: p.type(Integer).default(0),
    anchorHash: p.text(),
    /** Both ends, encrypted with the master key; null before the first entry. */
    seal: p.text().nullable(),
  },
});
