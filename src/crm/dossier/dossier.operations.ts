/** The operation that begins a dossier: its audit entry is written before anything is given out. */
import { z } from "zod";
import type { LocationContext, Reader } from "../../events/caller.ts";
import { operation } from "../../operation/operation.ts";
import { findContactsOfPerson } from "../contact-redirects.ts";

export const openDossier = operation({
  name: "openDossier",
  summary:
    "Lists the contacts of which the dossier of a person consists: the contact, and all that were merged into it.",
  noun: "Contacts",
  // It holds everything, whatever the scopes of a credential are.
  may: { scope: "none", role: "manager" },
  find: { contact: findContact },
  gives: z.object({ contact_ids: z.array(z.int()) }),
  audit: "found",
  read: async (_reader, { contact }) => ({ contact_ids: [...contact.ids] }),
});

async function findContact(reader: Reader<LocationContext>, id: number) {
  const { root, ids } = await findContactsOfPerson(reader, id);
  return ids.length === 0 ? undefined : { id: root, ids };
}
