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
import { inSearchQueue } from "../text-index/search-queue.ts";
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
/** The same of an assignee, whose index lacks the names: most lists end in it. */
const firstOfAssignee = 1001;
/** Milliseconds of a slice, after which the next one is smaller. */
const longSlice = 8;

const inSliceQueue = createSliceQueue();

/**
 * Status, assignee and contact have indexes, rare texts have the text index. Channel kind, common texts, and a status with an assignee scan the
 * list in slices.
 */
async function findPage(
  reader: Reader<LocationContext>,
  filter: ConversationFilter,
  after: Position | undefined,
  most: number,
): Promise<ConversationRow[]> {
  const ways = waysOf(filter);
  let [sparsest] = ways;
  const isIndexed = filter.search === undefined && filter.kind === undefined && ways.length === 1;
  const few = filter.search === undefined ? undefined : await findSearched(reader, filter.search);
  if (isIndexed || few !== undefined) return readRange(reader, filter, { way: sparsest, after, most, among: few });
  return findInSlices(most, {
    queue: inSliceQueue,
    holder: queueKeyOf(reader),
    from: after,
    size: ways.includes("assignee") ? firstOfAssignee : firstSlice,
    nextSize: (size, took) => (took > longSlice ? Math.ceil(size / 2) : Math.min(size * 2, largestSlice)),
    /** Of two indexes, the slice follows the one whose next `count` conversations reach furthest. */
    async findEnd(from, count) {
      let furthest: Position | undefined;
      for (const [place, way] of ways.entries()) {
        const end = await findEnd(reader, filter, { way, after: from, count });
        if (place > 0 && end !== undefined && !isBehind(end, furthest!)) continue;
        [sparsest, furthest] = [way, end];
        if (end === undefined) break;
      }
      return furthest;
    },
    find: (range, count) => readRange(reader, filter, { way: sparsest, ...range, most: count }),
  });
}

/** A condition whose index finds conversations in the order of the list. */
type Way = "location" | "status" | "assignee" | "contact";

/** The indexes that a list may follow: a contact has few conversations, and any other condition narrows the location. */
function waysOf({ status, assignee_user_id, contact_id }: ConversationFilter): readonly [Way, ...Way[]] {
  if (contact_id !== undefined) return ["contact"];
  if (assignee_user_id === undefined) return [status === undefined ? "location" : "status"];
  return status === undefined ? ["assignee"] : ["assignee", "status"];
}

/** Whether `one` comes after `other` in the list. */
function isBehind([time, id]: Position, [otherTime, otherId]: Position): boolean {
  return time < otherTime || (time === otherTime && id < otherId);
}

const newestFirst = defineKeyset({ time: "last_message_at", id: "id" });

const inLocation = sql`location_id = ?`;
const hasStatus = sql`status = ?`;
const isAssigned = sql`assignee_id = ?`;
const isOfContact = sql`contact_id = ?`;
const isOfKind = sql`kind = ?`;
/** In forms that no index answers: a slice follows the index that its end was found in. */
const hasStatusToo = sql`coalesce(status, '') = ?`;
const isAssignedToo = sql`coalesce(assignee_id, 0) = ?`;

/** The conditions that the index of `way` answers, for any range. */
function inRange(
  { location }: Reader<LocationContext>,
  filter: ConversationFilter,
  way: Way,
  range: Range,
): RangeConditions {
  const bounds = newestFirst.within(range);
  const own: Readonly<Record<Way, { readonly text: SqlText; readonly value: Value } | undefined>> = {
    location: undefined,
    status: { text: hasStatus, value: filter.status! },
    assignee: { text: isAssigned, value: filter.assignee_user_id! },
    contact: { text: isOfContact, value: filter.contact_id! },
  };
  const condition = own[way];
  return {
    texts: [inLocation, ...(condition === undefined ? [] : [condition.text]), ...bounds.texts],
    params: [location.id, ...(condition === undefined ? [] : [condition.value]), ...bounds.params],
  };
}

/** The other conditions, which each conversation of the range is judged by. */
function judgedBy(
  { location }: Reader<LocationContext>,
  { status, assignee_user_id, kind, search }: ConversationFilter,
  way: Way,
): readonly { readonly text: SqlText; readonly params: readonly Value[] }[] {
  return [
    ...(status === undefined || way === "status" ? [] : [{ text: hasStatusToo, params: [status] }]),
    ...(assignee_user_id === undefined || way === "assignee"
      ? []
      : [{ text: isAssignedToo, params: [assignee_user_id] }]),
    ...(kind === undefined ? [] : [{ text: isOfKind, params: [kind] }]),
    ...(search === undefined ? [] : [searchCondition(search, location.id)]),
  ];
}

interface RangeOfWay extends Range {
  readonly way: Way;
  readonly most: number;
  /** The ids of all that may match. */
  readonly among?: readonly number[] | undefined;
}

/** At most `most` matching conversations of the range. */
function readRange(
  reader: Reader<LocationContext>,
  filter: ConversationFilter,
  { way, most, among, ...range }: RangeOfWay,
): Promise<ConversationRow[]> {
  const { texts, params } = inRange(reader, filter, way, range);
  const unindexed = judgedBy(reader, filter, way);
  const all = [...texts, ...unindexed.map(({ text }) => text)];
  const values = [...params, ...unindexed.flatMap((condition) => condition.params)];
  if (among === undefined) {
    const text = keptText("page", all, () => pageText(sql`conversations`, joinSql(all, " and ")));
    return reader.rows<ConversationRow>(text, [...values, most]);
  }
  const isGiven = [sql`conversations.id = given.value`, ...all];
  const text = keptText("few", isGiven, () => pageText(givenConversations, joinSql(isGiven, " and ")));
  return inSearchQueue(reader, () => reader.rows<ConversationRow>(text, [JSON.stringify(among), ...values, most]));
}

/** Where a slice of `count` conversations of an index ends. */
async function findEnd(
  reader: Reader<LocationContext>,
  filter: ConversationFilter,
  { way, after, count }: { readonly way: Way; readonly after: Position | undefined; readonly count: number },
): Promise<Position | undefined> {
  const { texts, params } = inRange(reader, filter, way, { after });
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
