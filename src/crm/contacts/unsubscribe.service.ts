/** Unsubscribes the recipient of a mail: the contact's `dnd` is set, so that workflows send no more messages. */
import type { CallAs } from "../../events/call-as.ts";
import type { LocationContext, Tools } from "../../events/caller.ts";
import type { Rows } from "../../storage/rows.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { readUnsubscribeToken } from "../conversations/sending/unsubscribe-url.ts";
import { updateContact } from "./contact.service.ts";

export interface MailRecipient {
  /** The name of the location, as its mails' recipients know it. */
  readonly location: string;
  readonly address: string | null;
  /** Null if the contact has been deleted; may be one that was merged. */
  readonly contact: { readonly id: number; readonly name: string } | null;
  readonly workspaceId: number;
  readonly place: LocationContext;
}

/** A merged contact stands for the one that remains, also while its mails have not moved yet. */
const isLiving = `(contacts.deleted_at is null
  or exists (select 1 from contact_merges where contact_merges.merged_contact_id = contacts.id))`;

const text = `select messages.to_address, contacts.id as contact_id, contacts.name as contact_name, locations.workspace_id,
    locations.id as location_id, locations.name as location_name, locations.country, locations.timezone
  from messages join conversations on conversations.id = messages.conversation_id
    join locations on locations.id = conversations.location_id
    left join contacts on contacts.id = conversations.contact_id and ${isLiving}
  where messages.id = ?`;

/** The message was deleted. */
const removedText = `select null as to_address, contacts.id as contact_id, contacts.name as contact_name, locations.workspace_id,
    locations.id as location_id, locations.name as location_name, locations.country, locations.timezone
  from removed_mails join contacts on contacts.id = removed_mails.contact_id and ${isLiving}
    join locations on locations.id = contacts.location_id
  where removed_mails.id = ?`;

interface MailRecipientRow {
  readonly to_address: string | null;
  readonly contact_id: number | null;
  readonly contact_name: string | null;
  readonly workspace_id: number;
  readonly location_id: number;
  readonly location_name: string;
  readonly country: string;
  readonly timezone: string;
}

/** Undefined for a forged token, and for a message that was deleted together with its contact. */
export async function findMailRecipient(
  { rows }: Rows,
  tools: Pick<Tools, "signedIds">,
  token: string,
): Promise<MailRecipient | undefined> {
  const messageId = readUnsubscribeToken(tools, token);
  if (messageId === undefined) return undefined;
  const [found = undefined] = await rows<MailRecipientRow>(text, [messageId]);
  const [recipient = found] = found === undefined ? await rows<MailRecipientRow>(removedText, [messageId]) : [];
  if (recipient === undefined) return undefined;
  return {
    location: recipient.location_name,
    address: recipient.to_address,
    contact: recipient.contact_id === null ? null : { id: recipient.contact_id, name: recipient.contact_name! },
    workspaceId: recipient.workspace_id,
    place: { id: recipient.location_id, country: recipient.country, timezone: recipient.timezone },
  };
}

/** Sets `dnd` and raises contact.updated by the contact, if it was not set. Nothing is left to do for one that was deleted meanwhile. */
export async function unsubscribe(
  callAs: CallAs,
  { contact, workspaceId, place }: Pick<MailRecipient, "contact" | "workspaceId" | "place">,
): Promise<void> {
  if (contact === null) return;
  const caller = callAs({
    workspaceId,
    location: place,
    locationIds: [place.id],
    actor: { type: "contact", id: contact.id, name: contact.name },
    grant: { scopes: [], appId: null, role: null },
    user: null,
  });
  try {
    await caller.change((change) => updateContact(change, contact.id, { dnd: true }));
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "contact.not_found")) throw error;
  }
}
