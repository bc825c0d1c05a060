/** The table of contacts, and the deltas from which the number of contacts of a location is summed. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../storage/columns.ts";
import { Location } from "../tenancy/locations/location.entity.ts";
import { User } from "../tenancy/users/user.entity.ts";

/** Every list of contacts leaves out the deleted ones, so the indexes do as well. */
function alive(name: string, columns: string): { name: string; expression: string } {
  return { name, expression: `create index "${name}" on "contacts" (${columns}) where "deleted_at" is null` };
}

function keptBy(name: string, column: string): { name: string; expression: string } {
  return {
    name,
    expression: `create index "${name}" on "contacts" ("location_id", "${column}", "last_activity_at" desc, "id" desc) where "deleted_at" is null and "${column}" is not null`,
  };
}

/** The columns in which filters look for a part of a text. */
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

export const Contact = defineEntity({
  name: "Contact",
  tableName: "contacts",
  indexes: [
    // The order of the list; the keys of all texts ride along, so that who looks for a part of one reads the index alone.
    // MikroORM compares indexes by name: with one key more it is another, and a migration makes it anew.
    alive(
      `contacts_by_activity_${textKeys.length}`,
      `"location_id", "last_activity_at" desc, "id" desc, ${textKeys.map((column) => `"${column}"`).join(", ")}`,
    ),
    // Whom an unknown sender may be: by the last seven digits of the number, and by the name (conversations/inbound/sender.ts).
    {
      name: "contacts_by_phone_end",
      expression: `create index "contacts_by_phone_end" on "contacts" ("location_id", substr("phone_key", length("phone_key") - 6), "id") where "deleted_at" is null and "phone_key" is not null`,
    },
    alive("contacts_by_name", '"location_id", "name_key", "id"'),
    alive("contacts_by_email", '"location_id", "email_key", "id"'),
    alive("contacts_by_phone", '"location_id", "phone_key", "id"'),
    alive("contacts_by_owner", '"location_id", "owner_id", "last_activity_at" desc, "id" desc'),
    alive("contacts_by_update", '"location_id", "updated_at", "id"'),
    // The order of the export.
    alive("contacts_by_id", '"location_id", "id"'),
    // What opportunities and tasks keep on it, in the order of the list: a contact without any is in none of them.
    keptBy("contacts_by_stage", "stage_id"),
    keptBy("contacts_by_stage_kind", "stage_kind"),
    {
      name: "contacts_with_open_task",
      expression: `create index "contacts_with_open_task" on "contacts" ("location_id", "last_activity_at" desc, "id" desc) where "deleted_at" is null and "next_task_id" is not null`,
    },
    // The few that have a text which its key only begins.
    {
      name: "contacts_with_long_keys",
      expression: `create index "contacts_with_long_keys" on "contacts" ("location_id", "id") where "deleted_at" is null and "long_keys" is not null`,
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("restrict").index(false),
    /** What people see: derived from the names, else the e-mail, else the phone. */
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
    /** Unique across the whole service, deleted contacts included. */
    externalRef: p.text().nullable().unique("contacts_external_ref"),
    externalRefKey: p.text().nullable(),
    /** A JSON object: of each key that its text is too long for, the whole of the folded text (src/kit/text-key.ts). */
    longKeys: p.text().nullable(),
    lastActivityAt: p.datetime(3),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
    /** What opportunities keep here (keptOnContact): the stage of the one that matters, its kind, and the value. Plain: they lie higher. */
    stageId: p.type(Integer).nullable(),
    stageKind: p.text().nullable(),
    valueCents: p.type(Integer).default(0),
    /** What tasks keep here: the open one that is due first. */
    nextTaskId: p.type(Integer).nullable(),
  },
});

/**
 * +1 or -n for a location. One counter row would make every creation wait for the one before; deltas are only
 * inserted, and the worker folds them.
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
