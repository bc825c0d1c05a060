/** An attachment as transports send it. */
import type { Blobs } from "../../../blobs/blobs.ts";
import type { Tools } from "../../../events/caller.ts";
import type { OutgoingAttachment } from "../../channels/transports/transport.ts";
import { toAttachment } from "./attachment.view.ts";
import type { AttachmentRow } from "./attachment.view.ts";

export function toOutgoingAttachment(
  row: AttachmentRow,
  { blobs, tools }: { readonly blobs: Blobs; readonly tools: Tools },
): OutgoingAttachment {
  const { id, name, content_type: contentType, size, url } = toAttachment(row, tools);
  const blob = { key: row.blob_key, size, sha256: row.sha256 };
  return { id, name, contentType, size, url, open: () => blobs.read(blob) };
}
