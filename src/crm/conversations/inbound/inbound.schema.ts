/** The input from a provider: an inbound message, and a delivery receipt. */
import { z } from "zod";
import { creation } from "../../../kit/input/creation.ts";
import { flag, nullableText, recordId, text } from "../../../kit/input/fields.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { receiptStatuses } from "../../../vocabulary/states.ts";

/** A file in base64. */
const receivedFile = z
  .object({
    name: nullableText(),
    content_type: nullableText(),
    content_id: nullableText(limits.externalId).describe("By which the html shows it, as in cid:ID."),
    content: z.base64({ error: "must be base64." }),
  })
  .transform(({ name = null, content_type = null, content_id = null, content }) => ({
    name,
    contentType: content_type,
    contentId: content_id,
    content: Buffer.from(content, "base64"),
  }));

/** POST /inbound/{token}. */
export const inboundInput = creation({
  from: text(limits.channelAddress),
  to: nullableText(limits.channelAddress),
  body: nullableText(limits.messageBody),
  html: nullableText(limits.messageHtml),
  subject: nullableText(limits.subject),
  external_id: nullableText(limits.externalId),
  automatic: flag(),
  attachments: z.array(receivedFile).max(limits.attachments).nullable().optional(),
}).refine(({ body, html }) => (body ?? html ?? null) !== null, {
  path: ["body"],
  error: "is required when the html is not given.",
});

export type InboundInput = z.output<typeof inboundInput>;

/** POST /receipts/{token}. */
export const receiptInput = creation({
  message_id: recordId(),
  status: z.enum(receiptStatuses),
  error: nullableText(limits.messageError),
  retry: z
    .int()
    .nonnegative()
    .optional()
    .describe("The `retry` of the post that it is about: a receipt about an earlier one is ignored."),
});

export type ReceiptInput = z.output<typeof receiptInput>;
