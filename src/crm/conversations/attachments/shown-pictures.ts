/** Shows the pictures of html that are attachments of its message. */
import { replacePictures } from "../../../mail/inline-pictures.ts";
import type { AttachmentRow, AttachmentView } from "./attachment.view.ts";

/** The html with the URL of the attachment instead of each `cid:` that names one, by its Content-ID or else its name. */
export function showPictures(
  html: string,
  rows: readonly Pick<AttachmentRow, "content_id" | "name">[],
  attachments: readonly Pick<AttachmentView, "url">[],
): string {
  if (rows.length === 0) return html;
  const urls = new Map<string, string>();
  for (const [place, { name }] of rows.entries()) if (!urls.has(name)) urls.set(name, attachments[place]!.url);
  for (const [place, { content_id }] of rows.entries())
    if (content_id !== null) urls.set(content_id, attachments[place]!.url);
  return replacePictures(html, (id) => urls.get(id));
}
