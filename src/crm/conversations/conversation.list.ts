/** The list of conversations: newest message first, a page at a time, narrowed and searched. */
import type { Place, Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import type { Value } from "../../storage/rows.ts";
import { joinSql, sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { ChannelKind, ConversationStatus } from "../../vocabulary/states.ts";
import { conversationNeighbours, selectConversation } from "./conversation.queries.ts";
import { searchCondition } from "./conversation.search.ts";
import { toConversation } from "./conversation.view.ts";
import type { ConversationRow, ConversationView } from "./conversation.view.ts";

interface Narrowing {
  readonly status?: ConversationStatus | undefined;
  readonly kind?: ChannelKind | undefined;
  readonly assignee_user_id?: number | undefined;
  readonly search?: string | undefined;
}

/** The place after which a page begins: last_message_at in milliseconds, and the id. */
type Position = [lastMessageAt: number, id: number];

/** One page. Refuses a cursor that another list gave out. */
export function listConversations(
  reader: Reader<Place>,
  { cursor = null, ...narrowing }: Narrowing & PageQuery,
): Promise<Page<ConversationView>> {
  const { status, kind, assignee_user_id, search } = narrowing;
  return page(
    reader.tools.cursors,
    { cursor },
    {
      list: `conversations ${JSON.stringify([reader.location.id, status, kind, assignee_user_id, search])}`,
      find: (after: Position | undefined, most) => findPage(reader, narrowing, after, most),
      placeOf: ({ last_message_at, id }): Position => [last_message_at, id],
      show: toConversation,
    },
  );
}

const keptTexts = new Map<string, SqlText>();

async function findPage(
  reader: Reader<Place>,
  { status, kind, assignee_user_id, search }: Narrowing,
  after: Position | undefined,
  most: number,
): Promise<ConversationRow[]> {
  const conditions = [sql`location_id = ?`];
  const params: Value[] = [reader.location.id];
  const narrow = (text: SqlText, ...values: readonly Value[]) => {
    conditions.push(text);
    params.push(...values);
  };
  if (status !== undefined) narrow(sql`status = ?`, status);
  if (kind !== undefined) narrow(sql`kind = ?`, kind);
  if (assignee_user_id !== undefined) narrow(sql`assignee_id = ?`, assignee_user_id);
  if (search !== undefined) {
    const { text, params: sought } = searchCondition(search, reader.location.id);
    narrow(text, ...sought);
  }
  // A row value, which the index answers at once wherever the page begins.
  if (after !== undefined) narrow(sql`(last_message_at, id) < (?, ?)`, new Date(after[0]), after[1]);
  // What is given decides the text, not what it says: there are few of them, each put together once.
  const kept = conditions.map(({ sqlite }) => sqlite).join(" and ");
  let text = keptTexts.get(kept);
  if (text === undefined) keptTexts.set(kept, (text = pageText(conditions)));
  return reader.rows<ConversationRow>(text, [...params, most]);
}

const order = "order by last_message_at desc, id desc";

/** The ids first, from an index that carries all that is asked for, so that a conversation which is left out is not read. */
function pageText(conditions: readonly SqlText[]): SqlText {
  return sql`${selectConversation}
    from (select id as page_id from conversations where ${joinSql(conditions, " and ")} ${order} limit ?) as page
    join conversations on conversations.id = page.page_id ${conversationNeighbours}
    order by conversations.last_message_at desc, conversations.id desc`;
}
