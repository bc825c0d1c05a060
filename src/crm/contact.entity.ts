/** The table of contacts, which of them were merged into which, and the deltas that sum up to the number of contacts of a location. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../storage/columns.ts";
import { Location } from "../tenancy/locations/location.entity.ts";
import { User } from "../tenancy/users/user.entity.ts";

/** A partial index: lists of contacts never contain deleted ones. */
function notDeletedIndex(name: string, columns: string): { name: string; expression: string } {
  return { name, expression: `create index "${name}" on "contacts" (${columns}) where "deleted_at" is null` };
}

function projectionIndex(name: string, column: string): { name: string; expression: string } {
  return {
    name,
    expression: `create index "${name}" on "contacts" ("location_id", "${column}", "last_activity_at" desc, "id" desc) where "deleted_at" is null and "${column}" is not null`,
  };
}

/** The columns that substring filters search. */
export const textKeys: readonly string[] = [
  "name_key",
  "first_name_key",
  "last_name_key",
  "email_key",
  "phone_display_key",
  "company_key",
  "source_key",
  "interest_key",
  "address1_key",
  "city_key",
  "state_key",
  "zip_key",
  "timezone_key",
  "external_ref_key",
];

/** MikroORM compares indexes by name: the number of keys in the name makes a migration recreate the index when a key is added. */
export const listIndex = `contacts_in_order_of_activity_${textKeys.length}`;

export const Contact = defineEntity({
  name: "Contact",
  tableName: "contacts",
  indexes: [
    // The order of the list. A covering index for substring filters: it contains the keys of all texts.
    // Ascending, though lists are read backward: new entries are its last, and pages of a B-tree that grows at its end are full; at its beginning, half.
    notDeletedIndex(
      listIndex,
      `"location_id", "last_activity_at", "id", ${textKeys.map((column) => `"${column}"`).join(", ")}`,
    ),
    // Matching an unknown sender: by the last seven digits of the number, and by name (conversations/inbound/sender.ts).
    {
      name: "contacts_by_phone_end",
      expression: `create index "contacts_by_phone_end" on "contacts" ("location_id", substr("phone_key", length("phone_key") - 6), "id") where "deleted_at" is null and "phone_key" is not null`,
    },
    notDeletedIndex("contacts_by_name", '"location_id", "name_key", "id"'),
    notDeletedIndex("contacts_by_email", '"location_id", "email_key", "id"'),
    notDeletedIndex("contacts_by_phone", '"location_id", "phone_key", "id"'),
    notDeletedIndex("contacts_of_owner", '"location_id", "owner_id", "last_activity_at", "id"'),
    notDeletedIndex("contacts_by_update", '"location_id", "updated_at", "id"'),
    // The order of the export.
    notDeletedIndex("contacts_by_id", '"location_id", "id"'),
    // Denormalized columns of opportunities and tasks, in the order of the list; contacts without a value are not in these indexes.
    projectionIndex("contacts_by_stage", "stage_id"),
    projectionIndex("contacts_by_stage_kind", "stage_kind"),
    {
      name: "contacts_with_open_task",
      expression: `create index "contacts_with_open_task" on "contacts" ("location_id", "last_activity_at" desc, "id" desc) where "deleted_at" is null and "next_task_id" is not null`,
    },
    // The few contacts with a text that is longer than its key.
    {
      name: "contacts_with_long_keys",
      expression: `create index "contacts_with_long_keys" on "contacts" ("location_id", "id") where "deleted_at" is null and "long_keys" is not null`,
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("restrict").index(false),
    /** The display name: derived from the names, else the e-mail, else the phone. */
    name: p.text(),
    nameKey: p.text(),
    firstName: p.text(),
    firstNameKey: p.text().default(""),
    lastName: p.text(),
    lastNameKey: p.text().default(""),
    email: p.text().nullable(),
    emailKey: p.text().nullable(),
    phoneDisplay: p.text().nullable(),
    phoneDisplayKey: p.text().nullable(),
    phoneKey: p.text().nullable(),
    company: p.text().nullable(),
    companyKey: p.text().nullable(),
    source: p.text().nullable(),
    sourceKey: p.text().nullable(),
    interest: p.text().nullable(),
    interestKey: p.text().nullable(),
    address1: p.text().nullable(),
    address1Key: p.text().nullable().fieldName("address1_key"),
    city: p.text().nullable(),
    cityKey: p.text().nullable(),
    state: p.text().nullable(),
    stateKey: p.text().nullable(),
    zip: p.text().nullable(),
    zipKey: p.text().nullable(),
    timezone: p.text().nullable(),
    timezoneKey: p.text().nullable(),
    dnd: p.boolean(),
    owner: () => p.manyToOne(User).nullable().deleteRule("set null").index("contacts_owner"),
    /** Unique across the whole service, including deleted contacts. */
    externalRef: p.text().nullable().unique("contacts_external_ref"),
    externalRefKey: p.text().nullable(),
    /** A JSON object: key column → full folded text, for texts that are longer than their key (src/kit/text-key.ts). */
    longKeys: p.text().nullable(),
    lastActivityAt: p.datetime(3),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
    /** Denormalized from the contact's current opportunity (defineContactProjection): stage, kind and value. Plain ids: opportunities have a higher rank. */
    stageId: p.type(Integer).nullable(),
    stageKind: p.text().nullable(),
    valueCents: p.type(Integer).default(0),
    /** Denormalized from tasks: the open task that is due first. */
    nextTaskId: p.type(Integer).nullable(),
  },
});

/**
 * A delta (+1, -n) of a location's count. A single counter row would serialize all creations; deltas are only inserted, and the worker sums
 * them up.
 */
export const ContactCount = defineEntity({
  name: "ContactCount",
  tableName: "contact_counts",
  indexes: [{ name: "contact_counts_of_location", properties: ["location", "delta"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("cascade").index(false),
    delta: p.type(Integer),
  },
});

/** A contact that was merged into another: its id stands for that one (contact-redirects.ts). */
export const ContactMerge = defineEntity({
  name: "ContactMerge",
  tableName: "contact_merges",
  indexes: [
    { name: "contact_merges_of_contact", properties: ["contact", "id"] },
    {
      name: "contact_merges_running",
      expression: `create index "contact_merges_running" on "contact_merges" ("id") where "finished_at" is null`,
    },
  ],
  uniques: [{ name: "contact_merges_merged", properties: ["mergedContact"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    /** The contact that remains. */
    contact: () => p.manyToOne(Contact).deleteRule("cascade").index(false),
    /** The contact that is gone. */
    mergedContact: () => p.manyToOne(Contact).deleteRule("cascade").index(false),
    startedAt: p.datetime(3),
    /** Null while rows still refer to the contact that is gone. */
    finishedAt: p.datetime(3).nullable(),
  },
});
