/** Reads messages: the last ones of a conversation, and pages of all. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { markLong } from "../../../kit/json/long-lists.ts";
import { page } from "../../../kit/page.ts";
import type { Page, PageQuery } from "../../../kit/page.ts";
import { awaitPieceTurn, awaitRenderTurn, yieldToEventLoop } from "../../../kit/waiting/fair-lock.ts";
import { listed } from "../../../storage/json.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { fitsIn, weighedPage } from "../../../storage/reading/weighed-page.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { findAttachments } from "../attachments/attachment.queries.ts";
import { toMessage } from "./message.view.ts";
import type { MessageRow, MessageView, ShownMessageView } from "./message.view.ts";

const columns = `messages.id, messages.conversation_id, messages.direction, messages.kind, messages.subject,
  messages.from_address, messages.to_address, messages.status, messages.error, messages.author_id,
  users.name as author_name, messages.sent_at, messages.delivered_at, messages.created_at, messages.ai_generated, messages.attachment_count`;

/** An attachment counts as this many bytes, which is rarely less than it has in a response. */
const attachmentBytes = 2048;
const bytes = `coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.html), 0)
    + messages.attachment_count * ${attachmentBytes}`;
const fits = fitsIn(limits.conversationBytes);

/** The newest message is always in full: a page fits any single message. */
function textOf({
  where,
  body,
  order,
  among = "",
}: Record<"where" | "body" | "order", string> & { among?: string }): SqlText {
  const page = weighedPage({ table: "messages", bytes, where, direction: "desc" });
  return sql`select ${columns}, ${body}, case when ${fits} then messages.html end as html, page.bytes_so_far
    from ${page} join messages on messages.id = page.id left join users on users.id = messages.author_id ${among} order by page.id ${order}`;
}

/** Bytes of texts per statement: SQLite reads them in a few milliseconds, and all of a text to cut it. */
const mostAtOnce = 512 << 10;

/** Texts up to this many bytes are read in the first query, before the total size is known. */
const shortText = 32_768;

/** The last messages without long texts. Most conversations have none, and then this query is enough and takes half the time. */
const lastShortText = `select ${columns}, case when ${bytes} <= ${shortText} then messages.body end as body,
    case when ${bytes} <= ${shortText} then messages.html end as html, ${bytes} as bytes
  from messages left join users on users.id = messages.author_id
  where messages.conversation_id = ? order by messages.id desc limit ?`;

/** Parameters: the conversation, the last message, how many; the first and the last message to read. */
const lastText = textOf({
  where: "conversation_id = ? and id <= ?",
  body: `case when ${fits} then messages.body else substr(messages.body, 1, ${limits.shownMessageBody}) end as body,
    (not ${fits} and (messages.html is not null or messages.attachment_count > 0
      or length(messages.body) > ${limits.shownMessageBody})) as truncated`,
  order: "asc",
  among: "where page.id between ? and ?",
});

const pageText = textOf({
  where: "conversation_id = ? and id < ?",
  body: `case when ${fits} then messages.body end as body`,
  order: "desc",
});

/** A row as it is selected, before its attachments are read. */
type SelectedRow = Omit<MessageRow, "attachments">;

async function withAttachments<Row extends SelectedRow>(
  reader: Reader,
  rows: readonly Row[],
): Promise<(Row & Pick<MessageRow, "attachments">)[]> {
  const attachments = await findAttachments(reader, rows);
  return rows.map((row) => ({ ...row, attachments: attachments.get(row.id) ?? [] }));
}

interface CountedRow extends SelectedRow {
  /** The bytes of its texts plus those of all later messages. */
  readonly bytes_so_far: number;
}

interface ShownRow extends CountedRow {
  readonly truncated: boolean | number;
}

interface ShortRow extends SelectedRow {
  /** The bytes of its texts, selected or not. */
  readonly bytes: number;
}

/** The last hundred messages of a conversation, oldest first. */
export async function readLastMessages(reader: Reader, conversationId: number): Promise<ShownMessageView[]> {
  const pieceTurn = "record" in reader ? yieldToEventLoop : awaitPieceTurn;
  const newest = await reader.rows<ShortRow>(lastShortText, [conversationId, limits.conversationMessages]);
  const all = newest.reduce((sum, { bytes: those }) => sum + those, 0);
  if (all <= limits.conversationBytes && newest.every(({ bytes: those }) => those <= shortText)) {
    const shown = await withAttachments(reader, newest.toReversed());
    return markLongIf(
      await awaitRenderTurn(all, pieceTurn),
      shown.map((row) => toMessage(row, reader.tools)),
    );
  }
  const counted: ShownRow[] = [];
  const last = newest[0]!.id;
  for (const [from, to] of portionsOf(newest.toReversed())) {
    await pieceTurn();
    counted.push(
      ...(await reader.rows<ShownRow>(lastText, [conversationId, last, limits.conversationMessages, from, to])),
    );
  }
  const rows = await withAttachments(
    reader,
    counted.map((row) => (row.truncated ? { ...row, attachment_count: 0 } : row)),
  );
  const isLong = await awaitRenderTurn(rows[0]?.bytes_so_far ?? 0, pieceTurn);
  return markLongIf(
    isLong,
    rows.map((row) => ({ ...toMessage(row, reader.tools), ...(row.truncated ? { truncated: true } : {}) })),
  );
}

/** The first and the last id of consecutive rows that have `mostAtOnce` bytes together, or are one. */
function* portionsOf(rows: readonly ShortRow[]): Generator<[from: number, to: number]> {
  let start = 0;
  let sum = 0;
  for (const [place, row] of rows.entries()) {
    sum += row.bytes;
    if (sum <= mostAtOnce || place === start) continue;
    yield [rows[start]!.id, rows[place - 1]!.id];
    [start, sum] = [place, row.bytes];
  }
  yield [rows[start]!.id, rows.at(-1)!.id];
}

function markLongIf<List extends object>(isLong: boolean, list: List): List {
  if (isLong) markLong(list);
  return list;
}

type MessagePosition = [id: number];

/** A page of messages in full, newest first. Refuses a cursor of another list. */
export function listMessages(reader: Reader, conversationId: number, query: PageQuery): Promise<Page<MessageView>> {
  return page(reader.tools.cursors, query, {
    list: `messages ${conversationId}`,
    find: async ([id]: MessagePosition = [Number.MAX_SAFE_INTEGER], most) =>
      withAttachments(reader, await reader.rows<CountedRow>(pageText, [conversationId, id, most])),
    placeOf: ({ id }): MessagePosition => [id],
    mostBytes: limits.conversationBytes,
    show: (row) => toMessage(row, reader.tools),
  });
}

const heldText = `select messages.id, messages.conversation_id from messages
  join conversations on conversations.id = messages.conversation_id where messages.id = ? and conversations.location_id = ?`;

/** Which conversation of the location a message belongs to. */
export async function findMessage(
  reader: Reader<LocationContext>,
  id: number,
): Promise<Pick<MessageRow, "id" | "conversation_id"> | undefined> {
  const [row] = await reader.rows<Pick<MessageRow, "id" | "conversation_id">>(heldText, [id, reader.location.id]);
  return row;
}

const oneText = `select ${columns}, messages.body, messages.html from messages
  left join users on users.id = messages.author_id where messages.id = ?`;

const severalText = sql`select ${columns}, messages.body, messages.html from messages
  left join users on users.id = messages.author_id where messages.id in ${listed} order by messages.id`;

/** The messages with these ids, by id. */
export async function findMessages(reader: Reader, ids: readonly number[]): Promise<MessageRow[]> {
  return withAttachments(reader, await reader.rows<SelectedRow>(severalText, [JSON.stringify(ids)]));
}

/** A message that must exist. */
export async function getMessageRow(reader: Reader, id: number): Promise<MessageRow> {
  const [row] = await withAttachments(reader, await reader.rows<SelectedRow>(oneText, [id]));
  if (row === undefined) throw new Error(`message ${id} not found`);
  return row;
}
