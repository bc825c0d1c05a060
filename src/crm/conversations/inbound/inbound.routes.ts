/** The two URLs that a channel's provider calls, authenticated by the channel's secret token: inbound messages and delivery receipts. */
import type { CallAs } from "../../../events/call-as.ts";
import { jsonAnswer } from "../../../http/answer.ts";
import { requireLeft } from "../../../http/budget/rate-limit.ts";
import type { Spend } from "../../../http/budget/rate-limit.ts";
import type { IncomingRequest } from "../../../http/request/incoming-request.ts";
import { route } from "../../../http/route.ts";
import type { Route } from "../../../http/route.ts";
import { readInput } from "../../../kit/input/read-input.ts";
import type { Rows } from "../../../storage/rows.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import { channelIdentity } from "../../channels/channel-identity.ts";
import { findChannelByToken } from "../../channels/channel.queries.ts";
import type { InboundChannel } from "../../channels/channel.queries.ts";
import { inboundInput, receiptInput } from "./inbound.schema.ts";
import { receiveMessage } from "./inbound.service.ts";
import { applyReceipt } from "./receipt.service.ts";

export interface InboundDeps {
  readonly rows: Rows;
  readonly callAs: CallAs;
  /** Counts a request against the rate limit of a channel, which is that of an API key. */
  readonly spend: Spend;
  /** Counts a failed authentication of an IP address. */
  readonly spendFailure: Spend;
}

export function inboundRoutes({ rows, callAs, spend, spendFailure }: InboundDeps): Route[] {
  /** The channel of the token in the path. An unknown token gets the same 404 as an unknown route. */
  async function admit(request: IncomingRequest): Promise<InboundChannel> {
    const channel = await findChannelByToken(rows, request.parameters["token"] ?? "");
    const budget = await (channel === undefined ? spendFailure(request.address) : spend(`channel ${channel.id}`));
    requireLeft(budget);
    if (channel === undefined) throw new Refusal("route.not_found");
    return channel;
  }

  return [
    route({
      method: "POST",
      path: "/inbound/{token}",
      summary: "Accepts an inbound message from the channel's provider.",
      body: "json",
      async serve(request, body) {
        const channel = await admit(request);
        const input = readInput(inboundInput, body ?? {});
        const received = await callAs(channelIdentity(channel)).change((change) =>
          receiveMessage(change, channel, input),
        );
        const { isNew, ...named } = received;
        return jsonAnswer(isNew ? 201 : 200, JSON.stringify(named));
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
        return jsonAnswer(200, JSON.stringify({ message_id: input.message_id, status }));
      },
    }),
  ];
}
