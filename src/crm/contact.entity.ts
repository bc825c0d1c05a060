/** The table of contacts, and the deltas from which the number of contacts of a location is summed. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../storage/columns.ts";
import { Location } from "../tenancy/locations/location.entity.ts";
import { User } from "../tenancy/users/user.entity.ts";

/** Every list of contacts leaves out the deleted ones, so the indexes do as well. */
function alive(name: string, columns: string): { name: string; expression: string } {
  return { name, expression: `create index "${name}" on "contacts" (${columns}) where "deleted_at" is null` };
}

export const Contact = defineEntity({
  name: "Contact",
  tableName: "contacts",
  indexes: [
    // The order of the list; the name rides along so that a search by name reads the index alone.
    alive("contacts_feed", '"location_id", "last_activity_at" desc, "id" desc, "name_key"'),
    alive("contacts_by_email", '"location_id", "email_key", "id"'),
    alive("contacts_by_phone", '"location_id", "phone_key", "id"'),
    alive("contacts_by_owner", '"location_id", "owner_id", "last_activity_at" desc, "id" desc'),
    alive("contacts_by_update", '"location_id", "updated_at", "id"'),
    // The order of the export.
    alive("contacts_by_id", '"location_id", "id"'),
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("restrict").index(false),
    /** What people see: derived from the names, else the e-mail, else the phone. */
    name: p.text(),
    nameKey: p.text(),
    firstName: p.text(),
    lastName: p.text(),
    email: p.text().nullable(),
    emailKey: p.text().nullable(),
    phoneDisplay: p.text().nullable(),
    phoneKey: p.text().nullable(),
    company: p.text().nullable(),
    source: p.text().nullable(),
    interest: p.text().nullable(),
    address1: p.text().nullable(),
    city: p.text().nullable(),
    state: p.text().nullable(),
    zip: p.text().nullable(),
    timezone: p.text().nullable(),
    dnd: p.boolean(),
    owner: () => p.manyToOne(User).nullable().deleteRule("set null").index("contacts_owner"),
    /** Unique across the whole service, deleted contacts included. */
    externalRef: p.text().nullable().unique("contacts_external_ref"),
    lastActivityAt: p.datetime(3),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
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
