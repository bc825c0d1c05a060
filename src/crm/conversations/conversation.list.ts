/** The list of conversations: newest message first, with keyset pagination, filters and search. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { lineOf } from "../../events/read-line.ts";
import { requireScope } from "../../operation/permission.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import type { Value } from "../../storage/rows.ts";
import { joinSql, sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { ChannelKind, ConversationStatus } from "../../vocabulary/states.ts";
import { conversationNeighbours, selectConversation } from "./conversation.queries.ts";
import { searchCondition } from "./conversation.search.ts";
import { walkConversations } from "./conversation.list-walk.ts";
import type { ConversationPosition, ConversationRange } from "./conversation.list-walk.ts";
import { toConversation } from "./conversation.view.ts";
import type { ConversationRow, ConversationView } from "./conversation.view.ts";

interface ConversationFilter {
  readonly status?: ConversationStatus | undefined;
  readonly kind?: ChannelKind | undefined;
  readonly assignee_user_id?: number | undefined;
  readonly search?: string | undefined;
}

/** One page. Refuses a cursor of another list, and a search without the scope to read contacts. */
export async function listConversations(
  reader: Reader<LocationContext>,
  { cursor = null, ...narrowing }: ConversationFilter & PageQuery,
): Promise<Page<ConversationView>> {
  const { status, kind, assignee_user_id, search } = narrowing;
  if (search !== undefined) requireScope(reader, "contacts.readonly");
  return page(
    reader.tools.cursors,
    { cursor },
    {
      list: `conversations ${JSON.stringify([reader.location.id, status, kind, assignee_user_id, search])}`,
      find: (after: ConversationPosition | undefined, most) => findPage(reader, narrowing, after, most),
      placeOf: ({ last_message_at, id }): ConversationPosition => [last_message_at, id],
      show: toConversation,
    },
  );
}

/** Status and assignee have indexes; channel kind and search scan the list in chunks. */
function findPage(
  reader: Reader<LocationContext>,
  narrowing: ConversationFilter,
  after: ConversationPosition | undefined,
  most: number,
): Promise<ConversationRow[]> {
  if (narrowing.search === undefined && narrowing.kind === undefined)
    return readRange(reader, narrowing, { after }, most);
  return walkConversations(after, most, {
    line: lineOf(reader),
    find: (range, count) => readRange(reader, narrowing, range, count),
    findBehind: async (from, count) => {
      const { text, params } = behindText(reader, narrowing, from);
      const [row] = await reader.rows<{ last_message_at: number; id: number }>(text, [...params, count]);
      return row === undefined ? undefined : [row.last_message_at, row.id];
    },
  });
}

interface SqlConditions {
  readonly conditions: readonly SqlText[];
  readonly params: readonly Value[];
}

const isBehind = sql`(last_message_at, id) < (?, ?)`;
const isUpTo = sql`(last_message_at, id) >= (?, ?)`;

/** The conditions that an index answers directly, for any range. */
function inRange(
  { location }: Reader<LocationContext>,
  { status, assignee_user_id }: ConversationFilter,
  { after, until }: ConversationRange,
): SqlConditions {
  const conditions = [sql`location_id = ?`];
  const params: Value[] = [location.id];
  const narrow = (text: SqlText, ...values: readonly Value[]) => {
    conditions.push(text);
    params.push(...values);
  };
  if (status !== undefined) narrow(sql`status = ?`, status);
  if (assignee_user_id !== undefined) narrow(sql`assignee_id = ?`, assignee_user_id);
  if (after !== undefined) narrow(isBehind, new Date(after[0]), after[1]);
  if (until !== undefined) narrow(isUpTo, new Date(until[0]), until[1]);
  return { conditions, params };
}

/** At most `most` conversations of the range. */
function readRange(
  reader: Reader<LocationContext>,
  narrowing: ConversationFilter,
  range: ConversationRange,
  most: number,
): Promise<ConversationRow[]> {
  const { conditions, params } = inRange(reader, narrowing, range);
  const { kind, search } = narrowing;
  const byKind = kind === undefined ? [] : [{ text: sql`kind = ?`, params: [kind] }];
  const bySearch = search === undefined ? [] : [searchCondition(search, reader.location.id)];
  const sought = [...byKind, ...bySearch];
  const all = [...conditions, ...sought.map(({ text }) => text)];
  const values = [...params, ...sought.flatMap((condition) => condition.params)];
  return reader.rows<ConversationRow>(keep("page", all, pageText), [...values, most]);
}

/** The position a given number of rows after `after`. */
function behindText(
  reader: Reader<LocationContext>,
  narrowing: ConversationFilter,
  after: ConversationPosition | undefined,
) {
  const { conditions, params } = inRange(reader, narrowing, { after });
  return { text: keep("behind", conditions, placeText), params };
}

const keptTexts = new Map<string, SqlText>();

/** Memoizes statements by the set of filters, not their values: there are few, each built once. */
function keep(what: string, conditions: readonly SqlText[], make: (all: SqlText) => SqlText): SqlText {
  const key = [what, ...conditions.map(({ sqlite }) => sqlite)].join(" and ");
  let text = keptTexts.get(key);
  if (text === undefined) keptTexts.set(key, (text = make(joinSql(conditions, " and "))));
  return text;
}

const order = "order by last_message_at desc, id desc";

/** A deferred join: the subquery finds the ids in a covering index, so that rows that are filtered out are not read. */
function pageText(conditions: SqlText): SqlText {
  return sql`${selectConversation}
    from (select id as page_id from conversations where ${conditions} ${order} limit ?) as page
    join conversations on conversations.id = page.page_id ${conversationNeighbours}
    order by conversations.last_message_at desc, conversations.id desc`;
}

function placeText(conditions: SqlText): SqlText {
  return sql`select last_message_at, id from conversations where ${conditions} ${order} limit 1 offset ?`;
}
