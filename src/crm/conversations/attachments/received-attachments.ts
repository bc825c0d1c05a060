/** Stores the attachments of a received message before the change that receives it: no file is written inside a transaction. */
import type { Blobs } from "../../../blobs/blobs.ts";
import type { Caller, Change, LocationContext } from "../../../events/caller.ts";
import { splitAt, truncate } from "../../../kit/text.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { toFileName } from "./attachment-file.ts";
import { discardAttachments, insertAttachments, writeBlob } from "./attachment.service.ts";
import type { AttachmentRow } from "./attachment.view.ts";

/** The most characters of the note on files that were not kept. */
const noteCharacters = 1000;

export interface ReceivedFile {
  readonly name: string | null;
  readonly contentType: string | null;
  readonly contentId: string | null;
  readonly content: Uint8Array;
}

export interface StoredFiles {
  readonly attachments: readonly AttachmentRow[];
  /** The names of files beyond the limits, which are not kept. */
  readonly dropped: readonly string[];
}

export const noFiles: StoredFiles = { attachments: [], dropped: [] };

/** The text of a message with a note that names the files that were not kept. */
export function withDropped(body: string | null, dropped: readonly string[]): string | null {
  if (dropped.length === 0) return body;
  const note = truncate(`[Attachments that were too large or too many: ${dropped.join(", ")}]`, noteCharacters);
  if (body === null) return note;
  return `${splitAt(body, limits.messageBody - noteCharacters - 2)[0]}\n\n${note}`;
}

interface FileDeps {
  readonly caller: Caller<LocationContext>;
  readonly blobs: Blobs;
}

/** Receives a message with its files. Those of a message that was received before, or is not kept, are removed again. */
export async function receiveWithFiles<Received extends { readonly isNew: boolean } | undefined>(
  { caller, blobs }: FileDeps,
  files: readonly ReceivedFile[],
  receive: (change: Change<LocationContext>, stored: StoredFiles) => Promise<Received>,
): Promise<Received> {
  const stored = await storeReceived(caller, blobs, files);
  const received = await caller.change((change) => receive(change, stored));
  if (received?.isNew !== true && stored.attachments.length > 0)
    await discardAttachments(caller, blobs, stored.attachments).catch(() => {});
  return received;
}

/** Stores the first files that fit the limits of a message; empty ones are not kept. */
async function storeReceived(
  caller: Caller<LocationContext>,
  blobs: Blobs,
  files: readonly ReceivedFile[],
): Promise<StoredFiles> {
  const filled = files.filter(({ content }) => content.length > 0);
  const kept = filled.filter(({ content }) => content.length <= limits.attachmentBytes).slice(0, limits.attachments);
  const dropped = filled.filter((file) => !kept.includes(file)).map(({ name }) => toFileName(name));
  if (kept.length === 0) return { attachments: [], dropped };
  const rows = await caller.change((change) => insertAttachments(change, kept));
  try {
    const attachments: AttachmentRow[] = [];
    for (const [place, row] of rows.entries()) {
      const { size, sha256 } = await writeBlob(blobs, row.blob_key, [kept[place]!.content]);
      attachments.push({ ...row, size, sha256 });
    }
    return { attachments, dropped };
  } catch (error) {
    await discardAttachments(caller, blobs, rows).catch(() => {});
    throw error;
  }
}
