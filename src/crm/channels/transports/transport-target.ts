/** Judges where a channel hands its messages to, before the channel is changed: names are asked for, which is nothing for a transaction. */
import type { Reader } from "../../../events/caller.ts";
import { readSmtpServer } from "../../../mail/smtp-server.ts";
import { judgeHost } from "../../../operation/targets.ts";
import type { Outside } from "../../../outbound/outside.ts";
import { Invalid } from "../../../vocabulary/errors.ts";

/** Refuses, on `transport_url`, a gateway that no message could go to, and a mail server that is not the caller's to choose. */
export async function judgeTarget(reader: Reader, outside: Outside, url: string | null | undefined): Promise<void> {
  const fault = url === undefined || url === null ? undefined : await faultOf(reader, outside, url);
  if (fault !== undefined) throw new Invalid({ transport_url: [`The transport url field ${fault}`] });
}

async function faultOf(reader: Reader, outside: Outside, url: string): Promise<string | undefined> {
  // A gateway is judged again with each message, whoever chose it.
  if (/^https?:/i.test(url)) return outside.targets.judge(url);
  const server = readSmtpServer(url);
  // What is no mail server's URL is refused with the other faults of the channel (channel.rules.ts).
  return typeof server === "string" ? undefined : judgeHost(reader, outside, server.host);
}
