/** Checks the servers of a channel (SSRF) before the change: it resolves host names, which must not happen in a transaction. */
import type { Reader } from "../../../events/caller.ts";
import type { Outside } from "../../../outbound/outside.ts";
import { readImapMailbox } from "../../../mail/server-url.ts";
import { judgeHost } from "../../../operation/targets.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import type { ChannelPatch } from "../channel.schema.ts";
import { channelTransports } from "./all.ts";

/**
 * Refuses, on `transport_url`, a forbidden target, and one that the caller may not choose. Each transport checks the URLs of its own form,
 * since the channel's transport is certain only inside the change.
 */
export async function judgeTarget(
  reader: Reader,
  outside: Outside,
  url: string | null | undefined,
  transports = channelTransports,
): Promise<void> {
  if (url === undefined || url === null) return;
  for (const transport of transports.all) {
    const fault = transport.accepts === "queued" ? await transport.judge(reader, outside, url) : undefined;
    if (fault !== undefined) throw new Invalid({ transport_url: [`The transport url field ${fault}`] });
  }
}

/** The same, and on `imap_url` for the server of the mailbox. */
export async function judgeServers(
  reader: Reader,
  outside: Outside,
  { transport_url, imap_url }: Pick<ChannelPatch, "transport_url" | "imap_url">,
): Promise<void> {
  await judgeTarget(reader, outside, transport_url);
  const mailbox = typeof imap_url === "string" ? readImapMailbox(imap_url) : undefined;
  // setMailbox refuses an invalid URL.
  if (mailbox === undefined || typeof mailbox === "string") return;
  const fault = await judgeHost(reader, outside, mailbox.host);
  if (fault !== undefined) throw new Invalid({ imap_url: [`The imap url field ${fault}`] });
}
