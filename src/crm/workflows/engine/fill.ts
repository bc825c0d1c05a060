/** Fills the templates of a run's nodes with its context and the current state of its contact. It locks nothing. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { getContactState } from "../../contacts/contact.queries.ts";
import { toRecord } from "../../contacts/contact.view.ts";
import { asksForContact, fillTemplates } from "../walk/template.ts";

export function createFiller(
  change: Change<LocationContext>,
  contactId: number,
  context: object,
): (text: string) => Promise<string> {
  return async (text) => {
    if (!text.includes("{{")) return text;
    return fillTemplates(text, {
      contact: asksForContact(text) ? await readRecord(change, contactId) : {},
      context,
    });
  };
}

async function readRecord(change: Change<LocationContext>, contactId: number): Promise<object> {
  const { id, state } = await getContactState(change, contactId);
  const record = toRecord({ ...state, id }, change.now.getTime());
  // {{contact.custom.key}}, as in filters.
  return { ...record, custom: record.custom_fields ?? {} };
}
