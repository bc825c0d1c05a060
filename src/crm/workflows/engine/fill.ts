/** Fills the templates of a run's nodes with its context and the current state of its contact. It locks nothing. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { toRecord } from "../../contacts/contact.view.ts";
import type { KnownContact } from "../definition/node-type.ts";
import { asksForContact, fillTemplates } from "../walk/template.ts";

export function createFiller(
  change: Pick<Change<LocationContext>, "now">,
  contact: Pick<KnownContact, "read">,
  context: object,
): (text: string) => Promise<string> {
  return async (text) => {
    if (!text.includes("{{")) return text;
    return fillTemplates(text, {
      contact: asksForContact(text) ? await readRecord(change, contact) : {},
      context,
    });
  };
}

async function readRecord(
  change: Pick<Change<LocationContext>, "now">,
  contact: Pick<KnownContact, "read">,
): Promise<object> {
  const record = toRecord(await contact.read(), change.now.getTime());
  // {{contact.custom.key}}, as in filters.
  return { ...record, custom: record.custom_fields ?? {} };
}
