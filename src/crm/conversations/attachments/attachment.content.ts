/** The content of an attachment. */
import { BlobFault } from "../../../blobs/blobs.ts";
import type { Blobs, ByteRange } from "../../../blobs/blobs.ts";
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import { findAttachment } from "./attachment.queries.ts";
import type { AttachmentRow } from "./attachment.view.ts";

/** Throws `attachment_gone` and `files_unavailable`, also between two pieces. */
export async function* readContent(
  blobs: Blobs,
  { blob_key: key, size, sha256 }: AttachmentRow,
  range?: ByteRange,
): AsyncGenerator<Uint8Array> {
  try {
    yield* blobs.read({ key, size, sha256 }, range);
  } catch (error) {
    if (!(error instanceof BlobFault)) throw error;
    throw new Refusal(error.kind === "gone" ? "attachment_gone" : "files_unavailable", {}, { cause: error });
  }
}

/** The content of an attachment of the location. Refuses `attachment.not_found`. */
export async function* readAttachment(
  reader: Reader<LocationContext>,
  blobs: Blobs,
  id: number,
): AsyncGenerator<Uint8Array> {
  const attachment = await findAttachment(reader, id);
  if (attachment === undefined) throw new Refusal("attachment.not_found");
  yield* readContent(blobs, attachment);
}
