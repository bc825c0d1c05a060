/** The input from a provider: an inbound message, and a delivery receipt. */
import { z } from "zod";
import { flag, nullableText, recordId, text } from "../../../kit/input/fields.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { receiptStatuses } from "../../../vocabulary/states.ts";

/** POST /inbound/{token}. Attachments are accepted but not stored yet. */
export const inboundInput = z
  .object({
    from: text(limits.channelAddress),
    to: nullableText(limits.channelAddress),
    body: nullableText(limits.messageBody),
    html: nullableText(limits.messageHtml),
    subject: nullableText(limits.subject),
    external_id: nullableText(limits.externalId),
    automatic: flag(),
    attachments: z.array(z.unknown()).max(limits.attachments).nullable().optional(),
  })
  .refine(({ body, html }) => (body ?? html ?? null) !== null, {
    path: ["body"],
    error: "is required when the html is not given.",
  });

export type InboundInput = z.output<typeof inboundInput>;

/** POST /receipts/{token}. */
export const receiptInput = z.object({
  message_id: recordId(),
  status: z.enum(receiptStatuses),
  error: nullableText(limits.messageError),
});

export type ReceiptInput = z.output<typeof receiptInput>;
