/** A contact as the target of conditional requests: how it is locked and read for its ETag. */
import { shownRecord } from "../../../operation/shown-record.ts";
import { lockKeys } from "../../../storage/locks.ts";
import { lockContact } from "../../contact-activity.ts";
import { getContact } from "../contact.queries.ts";
import type { ContactInput } from "../contact.schema.ts";
import { contactView } from "../contact.view.ts";
import { keysOfInput } from "./contact.write.ts";

export const contactRecord = shownRecord({
  gives: contactView,
  async lock(change, { contact }: { contact: number }, input: ContactInput) {
    lockKeys(change, keysOfInput(change, input));
    await lockContact(change, contact);
  },
  read: (reader, { contact }) => getContact(reader, contact),
});
