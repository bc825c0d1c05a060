/** The list of conversations: newest message first, with keyset pagination, filters and search. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { requireScope } from "../../operation/permission.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { listed } from "../../storage/json.ts";
import { createKeptTexts } from "../../storage/keyset/kept-texts.ts";
import { defineKeyset } from "../../storage/keyset/keyset.ts";
import type { Position, Range, RangeConditions } from "../../storage/keyset/keyset.ts";
import { createSliceQueue, findInSlices } from "../../storage/keyset/slices.ts";
import type { Value } from "../../storage/value.ts";
import { joinSql, sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { ChannelKind, ConversationStatus } from "../../vocabulary/states.ts";
import { conversationJoins, selectConversation } from "./conversation.queries.ts";
import { findSearched, searchCondition } from "./conversation.search.ts";
import { toConversation } from "./conversation.view.ts";
import type { ConversationRow, ConversationView } from "./conversation.view.ts";

interface ConversationFilter {
  readonly status?: ConversationStatus | undefined;
  readonly kind?: ChannelKind | undefined;
  readonly assignee_user_id?: number | undefined;
  readonly search?: string | undefined;
  readonly contact_id?: number | undefined;
}

/** One page. Refuses a cursor of another list, and a search without the scope to read contacts. */
export async function listConversations(
  reader: Reader<LocationContext>,
  { cursor, limit, ...filter }: ConversationFilter & PageQuery,
): Promise<Page<ConversationView>> {
  const { status, kind, assignee_user_id, search, contact_id } = filter;
  if (search !== undefined) requireScope(reader, "contacts.readonly");
  return page(
    reader.tools.cursors,
    { cursor, limit },
    {
      list: `conversations ${JSON.stringify([reader.location.id, status, kind, assignee_user_id, search, contact_id])}`,
      find: (after: Position | undefined, most) => findPage(reader, filter, after, most),
      placeOf: ({ last_message_at, id }): Position => [last_message_at, id],
      show: toConversation,
    },
  );
}

/** Conversations per slice: a millisecond or two of work, in which most lists end and common matches are found; then twice that. */
const firstSlice = 8001;
const largestSlice = 16_001;

const inSliceQueue = createSliceQueue();

/** Status, assignee and contact have indexes, rare texts have the text index; channel kind and common texts scan the list in slices. */
async function findPage(
  reader: Reader<LocationContext>,
  filter: ConversationFilter,
  after: Position | undefined,
  most: number,
): Promise<ConversationRow[]> {
  if (filter.search === undefined && filter.kind === undefined) return readRange(reader, filter, { after }, most);
  const few = filter.search === undefined ? undefined : await findSearched(reader, filter.search);
  if (few !== undefined) return readRange(reader, filter, { after }, most, few);
  return findInSlices(most, {
    queue: inSliceQueue,
    holder: queueKeyOf(reader),
    from: after,
    size: firstSlice,
    nextSize: (size) => Math.min(size * 2, largestSlice),
    find: (range, count) => readRange(reader, filter, range, count),
    findEnd: (from, count) => findEnd(reader, filter, from, count),
  });
}

const newestFirst = defineKeyset({ time: "last_message_at", id: "id" });

const inLocation = sql`location_id = ?`;
const hasStatus = sql`status = ?`;
const isAssigned = sql`assignee_id = ?`;
const isOfContact = sql`contact_id = ?`;
const isOfKind = sql`kind = ?`;

/** The conditions that an index answers directly, for any range. */
function inRange(
  { location }: Reader<LocationContext>,
  { status, assignee_user_id, contact_id }: ConversationFilter,
  range: Range,
): RangeConditions {
  const bounds = newestFirst.within(range);
  const texts = [inLocation];
  const params: Value[] = [location.id];
  if (status !== undefined) {
    texts.push(hasStatus);
    params.push(status);
  }
  if (assignee_user_id !== undefined) {
    texts.push(isAssigned);
    params.push(assignee_user_id);
  }
  if (contact_id !== undefined) {
    texts.push(isOfContact);
    params.push(contact_id);
  }
  return { texts: [...texts, ...bounds.texts], params: [...params, ...bounds.params] };
}

/** At most `most` conversations of the range, all of which `among` contains. */
function readRange(
  reader: Reader<LocationContext>,
  filter: ConversationFilter,
  range: Range,
  most: number,
  among?: readonly number[],
): Promise<ConversationRow[]> {
  const { texts, params } = inRange(reader, filter, range);
  const { kind, search } = filter;
  const byKind = kind === undefined ? [] : [{ text: isOfKind, params: [kind] }];
  const bySearch = search === undefined ? [] : [searchCondition(search, reader.location.id)];
  const unindexed = [...byKind, ...bySearch];
  const all = [...texts, ...unindexed.map(({ text }) => text)];
  const values = [...params, ...unindexed.flatMap((condition) => condition.params)];
  if (among === undefined) {
    const text = keptText("page", all, () => pageText(sql`conversations`, joinSql(all, " and ")));
    return reader.rows<ConversationRow>(text, [...values, most]);
  }
  const isGiven = [sql`conversations.id = given.value`, ...all];
  const text = keptText("few", isGiven, () => pageText(givenConversations, joinSql(isGiven, " and ")));
  return reader.rows<ConversationRow>(text, [JSON.stringify(among), ...values, most]);
}

/** Where a slice of `count` conversations ends. */
async function findEnd(
  reader: Reader<LocationContext>,
  filter: ConversationFilter,
  after: Position | undefined,
  count: number,
): Promise<Position | undefined> {
  const { texts, params } = inRange(reader, filter, { after });
  const text = keptText("end", texts, () => newestFirst.positionText("conversations", texts));
  const [row] = await reader.rows<{ last_message_at: number; id: number }>(text, [...params, count - 1]);
  return row && [row.last_message_at, row.id];
}

const keptText = createKeptTexts();

const givenConversations = sql`${listed} as given cross join conversations`;

/** A deferred join: the subquery finds the ids in a covering index, so that rows that are filtered out are not read. */
function pageText(tables: SqlText, conditions: SqlText): SqlText {
  return sql`${selectConversation}
    from (select conversations.id as page_id from ${tables} where ${conditions} order by ${newestFirst.order} limit ?) as page
    join conversations on conversations.id = page.page_id ${conversationJoins}
    order by conversations.last_message_at desc, conversations.id desc`;
}
