/** The two URLs that a channel's provider calls, authenticated by the channel's secret token: inbound messages and delivery receipts. */
import type { Readable } from "node:stream";
import type { Blobs } from "../../../blobs/blobs.ts";
import type { CallAs } from "../../../events/call-as.ts";
import { jsonResponse } from "../../../http/http-response.ts";
import { requireLeft } from "../../../http/budget/rate-limit.ts";
import type { RateLimiter } from "../../../http/budget/rate-limit.ts";
import { parseJson, readPieces } from "../../../http/request/body.ts";
import type { IncomingRequest } from "../../../http/request/incoming-request.ts";
import { route } from "../../../http/route.ts";
import type { Route } from "../../../http/route.ts";
import { readInput } from "../../../kit/input/read-input.ts";
import { splitAt } from "../../../kit/text.ts";
import { createSemaphore } from "../../../kit/waiting/semaphore.ts";
import type { MailParser } from "../../../mail/parsing/mail-parser.ts";
import type { Rows } from "../../../storage/rows.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { channelIdentity } from "../../channels/channel-identity.ts";
import { findChannelByToken } from "../../channels/channel.queries.ts";
import type { InboundChannel } from "../../channels/channel.queries.ts";
import { receiveWithFiles } from "../attachments/received-attachments.ts";
import { inboundInput, receiptInput } from "./inbound.schema.ts";
import type { InboundInput } from "./inbound.schema.ts";
import { receiveMessage } from "./inbound.service.ts";
import type { TakeMail } from "./take-mail.ts";
import { applyReceipt } from "./receipt.service.ts";

export interface InboundDeps {
  readonly rows: Rows;
  readonly callAs: CallAs;
  /** Counts a request against the rate limit of a channel, which is that of an API key. */
  readonly limitRequests: RateLimiter;
  /** Counts a failed authentication of an IP address. */
  readonly limitFailures: RateLimiter;
  readonly takeMail: TakeMail;
  readonly mails: Pick<MailParser, "readHtml">;
  readonly blobs: Blobs;
  /** The maximum bytes of a mail, and of a message in JSON. */
  readonly mailLimit: number;
  readonly bodyLimit: number;
}

/** Mails that are read and parsed at once, since each is in memory; and those that wait for that. */
const mailsAtOnce = 4;
const mailsWaiting = 64;
const mailMedia = /^\s*message\/rfc822\s*(;|$)/i;

export function inboundRoutes(deps: InboundDeps): Route[] {
  const { rows, callAs, limitRequests, limitFailures, takeMail, mails, blobs, mailLimit, bodyLimit } = deps;
  const inTurn = createSemaphore(mailsAtOnce, mailsWaiting);

  async function receiveJson(channel: InboundChannel, request: IncomingRequest, bytes: Readable) {
    const read = parseJson(request.message, Buffer.concat(await readPieces(bytes, bodyLimit))) ?? {};
    const { attachments, ...input } = await withSafeHtml(readInput(inboundInput, read));
    const caller = callAs(channelIdentity(channel));
    return receiveWithFiles({ caller, blobs }, attachments ?? [], (change, stored) =>
      receiveMessage(change, channel, { ...input, stored }),
    );
  }

  /** As of a mail: the html is sanitised, and its text is the body of a message without one. */
  async function withSafeHtml(input: InboundInput): Promise<InboundInput> {
    if (typeof input.html !== "string") return input;
    const { html, text } = await mails.readHtml(input.html, "received");
    return { ...input, html, body: input.body ?? (splitAt(text, limits.messageBody)[0] || null) };
  }

  /** The channel of the token in the path. An unknown token gets the same 404 as an unknown route. */
  async function admit(request: IncomingRequest): Promise<InboundChannel> {
    const channel = await findChannelByToken(rows, request.parameters["token"] ?? "");
    const budget = await (channel === undefined
      ? limitFailures(request.address)
      : limitRequests(`channel ${channel.id}`));
    requireLeft(budget);
    if (channel === undefined) throw new Refusal("route.not_found");
    return channel;
  }

  return [
    route({
      method: "POST",
      path: "/inbound/{token}",
      summary: "Accepts an inbound message from the channel's provider.",
      body: "stream",
      limit: Math.max(mailLimit, bodyLimit),
      async serve(request, bytes) {
        const channel = await admit(request);
        const isMail = mailMedia.test(request.message.headers["content-type"] ?? "");
        if (isMail && channel.kind !== "email")
          throw new Refusal("unsupported_media_type", { message: "Only channels of the kind email accept mails." });
        const received = isMail
          ? await inTurn(async () => takeMail(channel, await readPieces(bytes, mailLimit)))
          : await receiveJson(channel, request, bytes);
        const { isNew = false, ...named } = received ?? { id: null, conversation_id: null };
        return jsonResponse(isNew ? 201 : 200, JSON.stringify(named));
      },
    }),
    route({
      method: "POST",
      path: "/receipts/{token}",
      summary: "Accepts a delivery receipt for an outbound message.",
      body: "json",
      async serve(request, body) {
        const channel = await admit(request);
        const input = readInput(receiptInput, body ?? {});
        const status = await callAs(channelIdentity(channel)).change((change) =>
          applyReceipt(change, channel.id, input),
        );
        return jsonResponse(200, JSON.stringify({ message_id: input.message_id, status }));
      },
    }),
  ];
}
