/** The input of attachments: an upload, and the ids that a message names. */
import { z } from "zod";
import { nullableText, recordId, text } from "../../../kit/input/fields.ts";
import { limits } from "../../../vocabulary/limits.ts";

/** POST /attachments: the file is the body. */
export const uploadInput = z.object({
  name: text(limits.attachmentName).describe("The name of the file; a form has it in its part."),
  content_type: nullableText(),
  file: z.custom<AsyncIterable<Uint8Array>>(),
});

export type UploadInput = z.output<typeof uploadInput>;

/** The attachments of a message. */
export const attachmentIds = z
  .array(recordId())
  .max(limits.attachments, { error: `must have at most ${limits.attachments} items.` })
  .refine((ids) => new Set(ids).size === ids.length, { error: "must name each attachment once." })
  .nullable()
  .optional()
  .describe("Uploaded attachments, each of which can be sent once.");
