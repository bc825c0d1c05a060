/** The operation that begins a dossier: its audit entry is written before anything is given out. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { operation } from "../../operation/operation.ts";
import { requireScope } from "../../operation/permission.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { findContactsOfPerson } from "../contact-redirects.ts";
import { openedDossier } from "./dossier.ts";

/** The scopes of the other records in a dossier, and of the reported events in its timeline. */
const scopes: readonly ScopeName[] = [
  "conversations.readonly",
  "events.readonly",
  "opportunities.readonly",
  "tasks.readonly",
  "workflows.readonly",
];

export const openDossier = operation({
  name: "openDossier",
  summary:
    "Returns everything that is known of a person as a ZIP archive. Needs the readonly scopes of conversations, events, opportunities, tasks and workflows, too; not for apps.",
  noun: "Contacts",
  may: { scope: "contacts.readonly", role: "manager" },
  find: { contact: findContact },
  gives: openedDossier,
  audit: "found",
  read: async (_reader, { contact }) => ({ contact_ids: [...contact.ids] }),
});

async function findContact(reader: Reader<LocationContext>, id: number) {
  requireMayOpen(reader);
  const { root, ids } = await findContactsOfPerson(reader, id);
  return ids.length === 0 ? undefined : { id: root, ids };
}

/** Apps are refused: their consent page does not mention dossiers. */
function requireMayOpen({ grant }: Reader<LocationContext>): void {
  if (grant.appId !== null)
    throw new Refusal("insufficient_scope", {
      required_scope: "contacts.readonly",
      message: "Apps cannot read dossiers. Use an API key.",
    });
  for (const scope of scopes) requireScope({ grant }, scope);
}
