/** What the types cannot hold the table of a contact's fields against. */
import { expect, test } from "vitest";
import { Contact } from "../../src/crm/contact.entity.ts";
import { contactFields } from "../../src/crm/contacts/contact.fields.ts";

test("the index of the list carries the key of every text, so that filters by a part of one read nothing else", () => {
  const index = Contact.meta.indexes!.find(({ name }) => name?.startsWith("contacts_in_order_of_activity"));
  const carried = [...String(index?.expression).matchAll(/"(\w+_key)"/g)].map(([, column]) => column);
  const keys = Object.values(contactFields).flatMap((field) => ("part" in field ? [field.part.column] : []));
  expect(carried.toSorted()).toEqual(["name_key", ...keys].toSorted());
});
