/** Reads attachments: of messages, and a single one. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { listed, listedTexts } from "../../../storage/json.ts";
import type { Rows } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { AttachmentRow } from "./attachment.view.ts";

const columns = "id, message_id, location_id, blob_key, name, content_type, content_id, size, sha256";

const ofMessagesText = sql`select ${columns} from attachments where message_id in ${listed} order by message_id, id`;

/** The attachments of each message; no query if none of them has one. */
export async function findAttachments(
  { rows }: Rows,
  messages: readonly { readonly id: number; readonly attachment_count: number }[],
): Promise<Map<number | null, AttachmentRow[]>> {
  const ids = messages.flatMap(({ id, attachment_count }) => (attachment_count > 0 ? id : []));
  if (ids.length === 0) return new Map();
  return Map.groupBy(await rows<AttachmentRow>(ofMessagesText, [JSON.stringify(ids)]), (row) => row.message_id);
}

const oneText = `select ${columns} from attachments where id = ? and is_stored = true`;

/** A stored attachment of any location. */
export async function findStoredAttachment({ rows }: Rows, id: number): Promise<AttachmentRow | undefined> {
  const [row] = await rows<AttachmentRow>(oneText, [id]);
  return row;
}

/** A stored attachment of the location. */
export async function findAttachment(reader: Reader<LocationContext>, id: number): Promise<AttachmentRow | undefined> {
  const found = await findStoredAttachment(reader, id);
  return found?.location_id === reader.location.id ? found : undefined;
}

const storedText = `select id, blob_key, size from attachments
  where is_stored = true and id > ? and not exists (select 1 from attachments as earlier
    where earlier.blob_key = attachments.blob_key and earlier.is_stored = true and earlier.id < attachments.id)
  order by id limit 500`;

/** The files of all stored attachments of the service, each once. */
export async function* eachStoredFile({ rows }: Rows): AsyncGenerator<Pick<AttachmentRow, "blob_key" | "size">> {
  for (let last: number | undefined = 0; last !== undefined;) {
    const files: Pick<AttachmentRow, "id" | "blob_key" | "size">[] = await rows(storedText, [last]);
    yield* files;
    last = files.at(-1)?.id;
  }
}

const ofKeysText = sql`select blob_key from attachments where blob_key in ${listedTexts}`;

/** Those of the keys that an attachment has, stored or being stored. */
export async function findAttachmentKeys({ rows }: Rows, keys: readonly string[]): Promise<string[]> {
  const found = await rows<{ blob_key: string }>(ofKeysText, [JSON.stringify(keys)]);
  return found.map(({ blob_key }) => blob_key);
}

const unsentText = sql`select ${columns} from attachments
  where id in ${listed} and location_id = ? and message_id is null and workflow_id is null and is_stored = true and created_at > ?
  order by id`;

/** Those of `ids` that a message of the location may take. */
export function findUnsent(
  reader: Reader<LocationContext>,
  ids: readonly number[],
  uploadedAfter: Date,
): Promise<AttachmentRow[]> {
  return reader.rows<AttachmentRow>(unsentText, [JSON.stringify(ids), reader.location.id, uploadedAfter]);
}
