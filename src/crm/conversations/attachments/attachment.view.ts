/** The response shape of an attachment. */
import { z } from "zod";
import type { Tools } from "../../../events/caller.ts";
import { attachmentUrl } from "./attachment-url.ts";

/** An example attachment. */
const attachmentSpecimen = {
  id: 1,
  name: "price-list.pdf",
  content_type: "application/pdf",
  size: 48_213,
  url: "https://crm.example.com/attachments/1/price-list.pdf?expires=1772370000&signature=mQk1Z0cYbVh8pJx2",
};

export const attachmentView = z
  .object({
    id: z.int(),
    name: z.string(),
    content_type: z.string().describe("As the sender declared it."),
    size: z.int().describe("In bytes."),
    url: z.string().describe("Downloads the file without a credential, for at least an hour."),
  })
  .meta({ id: "Attachment", description: "A file of a message.", examples: [attachmentSpecimen] });

export type AttachmentView = z.output<typeof attachmentView>;

/** The selected row. */
export interface AttachmentRow {
  readonly id: number;
  readonly message_id: number | null;
  readonly location_id: number;
  readonly blob_key: string;
  readonly name: string;
  readonly content_type: string;
  readonly content_id: string | null;
  readonly size: number;
  readonly sha256: string;
}

export function toAttachment(
  { id, location_id, name, content_type, size }: AttachmentRow,
  tools: Pick<Tools, "clock" | "links" | "signedIds">,
): AttachmentView {
  return { id, name, content_type, size, url: attachmentUrl({ id, location_id, name }, tools) };
}
