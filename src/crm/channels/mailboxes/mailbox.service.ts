/** Sets the mailbox from which a channel receives. */
import type { Change, LocationContext, Tools } from "../../../events/caller.ts";
import { readImapMailbox } from "../../../mail/server-url.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import type { ChannelKind } from "../../../vocabulary/states.ts";
import { noteMailboxWorking } from "../channel-health.ts";
import type { ChannelPatch } from "../channel.schema.ts";

type MailboxInput = Pick<ChannelPatch, "imap_url" | "imap_password" | "imap_move_to">;

interface KnownMailbox {
  readonly url: string;
  readonly move_to: string | null;
  readonly error: string | null;
}

const knownText = "select url, move_to, error from mailboxes where channel_id = ?";
const insertText = `insert into mailboxes (channel_id, url, password, move_to, since, due_at) values (?, ?, ?, ?, ?, ?)`;
const removeText = "delete from mailboxes where channel_id = ?";
/** A worker that holds a lease notices the new fence. */
const updateText = `update mailboxes set url = ?, password = coalesce(?, password), move_to = ?, since = case when url = ? then since else ? end,
  uid_validity = case when url = ? then uid_validity end, last_uid = case when url = ? then last_uid else 0 end,
  failures = 0, due_at = ?, leased_until = null, fence = fence + 1 where channel_id = ?`;

/** Applies the given fields; a null URL removes the mailbox. Refuses fields that do not fit each other. */
export async function setMailbox(
  change: Change<LocationContext>,
  { id, kind }: { readonly id: number; readonly kind: ChannelKind },
  { imap_url, imap_password = null, imap_move_to }: MailboxInput,
): Promise<void> {
  if (imap_url === undefined && imap_password === null && imap_move_to === undefined) return;
  const [known] = await change.rows<KnownMailbox>(knownText, [id]);
  const url = imap_url === undefined ? (known?.url ?? null) : imap_url;
  const moveTo = imap_move_to === undefined ? (known?.move_to ?? null) : imap_move_to;
  if (url === null) {
    if (imap_password !== null) throw new Invalid({ imap_url: ["The imap url field is required with a password."] });
    change.send(removeText, [id]);
    if (typeof known?.error === "string") noteMailboxWorking(change, id, known.error);
    return;
  }
  refuseFaults(kind, url);
  const isNewUrl = known?.url !== url;
  if (isNewUrl && imap_password === null)
    throw new Invalid({ imap_password: ["The imap password field is required for a new URL."] });
  const sealed = imap_password === null ? null : sealMailboxPassword(change.tools, id, imap_password);
  const { now } = change;
  if (known === undefined) change.send(insertText, [id, url, sealed, moveTo, now, now]);
  else change.send(updateText, [url, sealed, moveTo, url, now, url, url, now, id]);
}

function refuseFaults(kind: ChannelKind, url: string): void {
  if (kind !== "email") throw new Invalid({ imap_url: ["The imap url field is for email channels alone."] });
  const read = readImapMailbox(url);
  if (typeof read === "string") throw new Invalid({ imap_url: [`The imap url field ${read}`] });
}

function sealMailboxPassword({ vault }: Pick<Tools, "vault">, channelId: number, password: string): string {
  return vault.seal(password, mailboxPasswordContext(channelId));
}

export function openMailboxPassword(
  { vault }: { readonly vault: Pick<Tools["vault"], "open"> },
  channelId: number,
  sealed: string,
): string {
  return vault.open(sealed, mailboxPasswordContext(channelId));
}

export function mailboxPasswordContext(channelId: number): string {
  return `mailboxes.password ${channelId}`;
}
