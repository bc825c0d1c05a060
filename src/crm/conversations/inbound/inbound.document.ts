/** Inbound messages and receipts in the OpenAPI document. */
import { z } from "zod";
import type { RouteDocument } from "../../../http/documents/route-document.ts";
import { describeRefusal } from "../../../vocabulary/errors.ts";
import { receiptStatuses } from "../../../vocabulary/states.ts";
import { inboundInput, receiptInput } from "./inbound.schema.ts";

const receivedView = z.object({ id: z.int().nullable(), conversation_id: z.int().nullable() }).meta({
  id: "ReceivedMessage",
  description:
    "The message, and its conversation; null for a bounce that names neither a known mail nor a known recipient.",
  examples: [{ id: 1, conversation_id: 1 }],
});

const receiptView = z.object({ message_id: z.int(), status: z.enum(receiptStatuses) }).meta({
  id: "Receipt",
  description: "The message with its resulting status.",
  examples: [{ message_id: 1, status: "delivered" }],
});

const failures = {
  400: "BadRequest",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  422: "ValidationFailed",
  429: "TooManyRequests",
  500: "ServerError",
  503: "Unavailable",
} as const;

const unknownToken = {
  description: "The token is unknown.",
  gives: "Error",
  example: {
    error: "route.not_found",
    message: describeRefusal("route.not_found").message,
    request_id: "1f0c3d7e-5b0e-4c55-9f5e-8a3f2d1c7b60",
  },
} as const;

const parameters = { token: "The secret token of the channel, a part of its inbound URL." };

export const inboundDocuments: readonly RouteDocument[] = [
  {
    method: "POST",
    path: "/inbound/{token}",
    name: "receiveMessage",
    noun: "Inbound messages",
    summary: "Accepts an inbound message from the channel's provider.",
    description:
      "The secret URL of the channel is the credential. A repeated `external_id` is the same message. A channel of the kind email also accepts the raw mail, as `message/rfc822`: a repeated Message-ID is the same message, and a bounce fails the message that it names.",
    parameters,
    media: "application/json",
    input: inboundInput.meta({
      examples: [
        {
          from: "Ada Lovelace <ada@example.com>",
          subject: "Prices",
          body: "Could you send me a price list?",
          external_id: "4711",
        },
      ],
    }),
    security: [],
    answers: {
      201: { description: "The message is stored.", gives: receivedView },
      200: { description: "The message was stored before.", gives: receivedView },
      404: unknownToken,
    },
    failures,
  },
  {
    method: "POST",
    path: "/receipts/{token}",
    name: "reportReceipt",
    noun: "Inbound messages",
    summary: "Accepts a delivery receipt for an outbound message.",
    description: "The token is that of the inbound URL. A status never goes back, and `failed` is final.",
    parameters,
    media: "application/json",
    input: receiptInput.meta({ examples: [{ message_id: 1, status: "delivered" }] }),
    security: [],
    answers: {
      200: { description: "The message with its resulting status.", gives: receiptView },
      404: unknownToken,
    },
    failures,
  },
];
