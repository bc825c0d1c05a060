/** Stores attachments, and gives them to their messages. */
import { randomUUID } from "node:crypto";
import { BlobFault } from "../../../blobs/blobs.ts";
import type { Blobs, StoredBlob } from "../../../blobs/blobs.ts";
import type { Caller, Change, LocationContext } from "../../../events/caller.ts";
import { defineInsert, insertRows } from "../../../storage/inserting/insert.ts";
import { listed } from "../../../storage/json.ts";
import { jsonKeys } from "../../../storage/json-rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import { Invalid, Refusal } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { toFileName, toMediaType } from "./attachment-file.ts";
import { findUnsent } from "./attachment.queries.ts";
import type { UploadInput } from "./attachment.schema.ts";
import type { AttachmentRow } from "./attachment.view.ts";

const attachmentInsert = defineInsert(
  "attachments",
  ["location_id", "blob_key", "name", "content_type", "content_id", "created_at"],
  { leaves: ["message_id", "workflow_id", "is_published", "size", "sha256", "is_stored"] },
);

export interface NewAttachment {
  readonly name: string | null;
  readonly contentType: string | null;
  readonly contentId: string | null;
}

/** Inserts the rows of attachments whose pieces are written next. */
export async function insertAttachments(
  change: Change<LocationContext>,
  files: readonly NewAttachment[],
): Promise<AttachmentRow[]> {
  const rows = files.map(({ name, contentType, contentId }) => ({
    location_id: change.location.id,
    blob_key: randomUUID(),
    name: toFileName(name),
    content_type: toMediaType(contentType),
    content_id: contentId,
  }));
  const ids = await insertRows(
    change,
    attachmentInsert,
    rows.map((row) => ({ ...row, created_at: change.now })),
  );
  return rows.map((row, place) => ({ id: ids[place]!, message_id: null, size: 0, sha256: "", ...row }));
}

const storedText = "update attachments set size = ?, sha256 = ?, is_stored = true where id = ?";

/** Marks an attachment as stored: all of its pieces are written. */
function markStored(change: Change, row: AttachmentRow, { size, sha256 }: StoredBlob): AttachmentRow {
  change.send(storedText, [size, sha256, row.id]);
  return { ...row, size, sha256 };
}

const deleteText = sql`delete from attachments where id in ${listed} and message_id is null and workflow_id is null`;

/** Removes attachments that no message has. */
export async function discardAttachments(
  caller: Caller<LocationContext>,
  blobs: Blobs,
  rows: readonly AttachmentRow[],
): Promise<void> {
  for (const { blob_key } of rows) await blobs.remove(blob_key);
  await caller.change(async (change) => change.send(deleteText, [JSON.stringify(rows.map(({ id }) => id))]));
}

/** Stores a file: its row, its pieces, then, by `complete`, the mark that makes it usable. Refuses an empty file. */
export async function storeUpload<Result>(
  caller: Caller<LocationContext>,
  blobs: Blobs,
  { name, content_type, file }: UploadInput,
  complete: (mark: (change: Change<LocationContext>) => Promise<AttachmentRow>) => Promise<Result>,
): Promise<Result> {
  const given = { name, contentType: content_type ?? null, contentId: null };
  const [row] = await caller.change((change) => insertAttachments(change, [given]));
  try {
    const blob = await writeBlob(blobs, row!.blob_key, file);
    if (blob.size === 0) throw new Invalid({ file: ["The file is empty."] });
    return await complete(async (change) => markStored(change, row!, blob));
  } catch (error) {
    // A failure leaves it to the duty that removes what no message has.
    await discardAttachments(caller, blobs, [row!]).catch(() => {});
    throw error;
  }
}

/** Refuses `files_unavailable`. */
export async function writeBlob(
  blobs: Blobs,
  key: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<StoredBlob> {
  try {
    return await blobs.write(key, source);
  } catch (error) {
    throw error instanceof BlobFault ? new Refusal("files_unavailable", {}, { cause: error }) : error;
  }
}

/**
 * The uploaded attachments that a message is sent with, in the given order. Refuses, on `attachment_ids`, unknown, sent and expired ones, and
 * more bytes than a message may have.
 */
export async function readAttachments(
  change: Change<LocationContext>,
  ids: readonly number[],
): Promise<AttachmentRow[]> {
  if (ids.length === 0) return [];
  const uploadedAfter = new Date(change.now.getTime() - limits.unsentAttachmentSeconds * 1000);
  const found = new Map((await findUnsent(change, ids, uploadedAfter)).map((row) => [row.id, row]));
  const rows = ids.flatMap((id) => found.get(id) ?? []);
  if (rows.length < ids.length) refuseUnknown();
  if (rows.reduce((sum, { size }) => sum + size, 0) > limits.attachmentsBytes)
    throw new Invalid({
      attachment_ids: [`The attachments may have ${limits.attachmentsBytes / 1_048_576} MiB together.`],
    });
  return rows;
}

const givenRows = jsonKeys({ id: "integer", size: "integer", sha256: "text" });
const attachText = sql`update attachments set message_id = ?, size = given.size, sha256 = given.sha256, is_stored = true
  from ${givenRows} as given where attachments.id = given.id and message_id is null and workflow_id is null returning attachments.id`;

/** Gives stored attachments to a message, once. Refuses, on `attachment_ids`, one that another message took meanwhile. */
export async function attach(change: Change, messageId: number, rows: readonly AttachmentRow[]): Promise<void> {
  if (rows.length === 0) return;
  const taken = await change.rows(attachText, [
    messageId,
    JSON.stringify(rows.map(({ id, size, sha256 }) => ({ id, size, sha256 }))),
  ]);
  if (taken.length < rows.length) refuseUnknown();
}

function refuseUnknown(): never {
  throw new Invalid({
    attachment_ids: [
      "The attachment ids field must name attachments of the location that were uploaded in the last day and not sent.",
    ],
  });
}
