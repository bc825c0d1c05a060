/** Everything that is known of a person, as entries of an archive: JSON by noun, conversations, and files. One page is in memory at a time. */
import { z } from "zod";
import { BlobFault } from "../../blobs/blobs.ts";
import type { Blobs } from "../../blobs/blobs.ts";
import type { LocationContext, Reader } from "../../events/caller.ts";
import type { ZipEntry } from "./zip.ts";
import { listed } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import { findRecord } from "../contacts/contact.queries.ts";
import { toRecord } from "../contacts/contact.view.ts";
import { contactNeighbours, exportPages } from "../contacts/neighbours/contact-neighbours.ts";
import { listMessages } from "../conversations/messages/message.queries.ts";

export const openedDossier = z.object({ contact_ids: z.array(z.int()) });

/** A file that could not be read whole. */
export interface UnreadFile {
  readonly attachment_id: number;
  readonly name: string;
  /** Of a missing file the archive has nothing, of a damaged one at most what comes before the damage. */
  readonly reason: "missing" | "damaged";
}

/**
 * For callers that have been authorized already. A stored file that is missing or damaged ends nothing: `unread_files.json` names it, and `onUnread`
 * is called.
 */
export async function* readDossier(
  reader: Reader<LocationContext>,
  contactIds: readonly number[],
  {
    blobs,
    onUnread = () => {},
  }: { readonly blobs: Pick<Blobs, "read" | "has">; readonly onUnread?: (file: UnreadFile) => void },
): AsyncGenerator<ZipEntry> {
  const unread: UnreadFile[] = [];
  yield toJsonFile("contacts.json", contactsOf(reader, contactIds));
  for (const neighbour of contactNeighbours)
    if (neighbour.export !== "hidden")
      yield toJsonFile(`${neighbour.name.replaceAll(" ", "-")}.json`, recordsOf(reader, contactIds, neighbour));
  for await (const id of conversationsOf(reader, contactIds)) {
    yield toJsonFile(`conversations/${id}.json`, messagesOf(reader, id));
    for await (const file of filesOf(reader, id)) {
      const note = (reason: UnreadFile["reason"]): void => {
        const noted = { attachment_id: file.id, name: file.name, reason };
        unread.push(noted);
        onUnread(noted);
      };
      const content = await openFile(blobs, file, note);
      if (content === undefined) continue;
      yield { name: `files/${file.id}-${file.name.replaceAll(/[/\\\0]/g, "_")}`, content, isCompressed: false };
    }
  }
  if (unread.length > 0) yield { name: "unread_files.json", content: [JSON.stringify(unread)], isCompressed: true };
}

/** The pieces of a file; undefined if there are none to begin with. They end early where one is missing or differs from what was stored. */
async function openFile(
  blobs: Pick<Blobs, "read" | "has">,
  { blob_key: key, size, sha256 }: StoredFile,
  note: (reason: UnreadFile["reason"]) => void,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  if (!(await blobs.has({ key, size }))) return void note("missing");
  const pieces = blobs.read({ key, size, sha256 });
  const next = (): Promise<IteratorResult<Uint8Array> | undefined> =>
    pieces.next().catch((error: unknown) => {
      if (!(error instanceof BlobFault) || error.kind !== "gone") throw error;
      return void note("damaged");
    });
  const first = await next();
  if (first === undefined) return undefined;
  return (async function* () {
    for (let piece: typeof first | undefined = first; piece?.done === false; piece = await next()) yield piece.value;
  })();
}

async function* contactsOf(reader: Reader<LocationContext>, ids: readonly number[]): AsyncGenerator<object> {
  const now = reader.tools.clock.now().getTime();
  for (const id of ids) {
    const row = await findRecord(reader, id);
    if (row !== undefined) yield toRecord(row, now);
  }
}

async function* recordsOf(
  reader: Reader<LocationContext>,
  ids: readonly number[],
  neighbour: (typeof contactNeighbours)[number],
): AsyncGenerator<object> {
  for (const id of ids) for await (const records of exportPages(reader, id, neighbour)) yield* records;
}

/** Of one page of a list after the other. */
async function* messagesOf(reader: Reader, id: number): AsyncGenerator<object> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Awaited<ReturnType<typeof listMessages>> = await listMessages(reader, id, { cursor });
    yield* page.data;
    cursor = page.next_cursor;
  }
}

const most = 500;

const conversationsText = sql`select id from conversations where contact_id in ${listed} and id > ? order by id limit ${most}`;

async function* conversationsOf(reader: Reader, contactIds: readonly number[]): AsyncGenerator<number> {
  for (let last: number | undefined = 0; last !== undefined;) {
    const rows: { id: number }[] = await reader.rows(conversationsText, [JSON.stringify(contactIds), last]);
    for (const { id } of rows) yield id;
    last = rows.length < most ? undefined : rows.at(-1)!.id;
  }
}

interface StoredFile {
  readonly id: number;
  readonly blob_key: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

const filesText = `select attachments.id, blob_key, name, size, sha256 from messages join attachments on attachments.message_id = messages.id
  where messages.conversation_id = ? and messages.attachment_count > 0 and attachments.id > ? and is_stored = true
  order by attachments.id limit ${most}`;

async function* filesOf(reader: Reader, conversationId: number): AsyncGenerator<StoredFile> {
  for (let last: number | undefined = 0; last !== undefined;) {
    const rows: StoredFile[] = await reader.rows(filesText, [conversationId, last]);
    yield* rows;
    last = rows.length < most ? undefined : rows.at(-1)!.id;
  }
}

function toJsonFile(name: string, records: AsyncIterable<object>): ZipEntry {
  return { name, content: asList(records), isCompressed: true };
}

/** A JSON list with one record a line. */
async function* asList(records: AsyncIterable<object>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const record of records) {
    yield `${before}${JSON.stringify(record)}`;
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}
