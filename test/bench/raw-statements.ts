/** The statements of the raw limit, written by hand: as many as the service runs, for the same rows. */
import { billingTexts } from "./raw-billing.ts";
import { conversationTexts } from "./raw-conversation-statements.ts";
import { eventTexts } from "./raw-events.ts";

export type Dialect = "sqlite" | "postgres";

/** One prepared statement. Placeholders are `?`; the PostgreSQL driver numbers them once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export type Statements = Readonly<Record<StatementName, Statement>>;

type StatementName = keyof ReturnType<typeof texts>;

export function statementsFor(dialect: Dialect): Statements {
  const entries = Object.entries(texts(dialect)).map(([name, text]) => [name, { name, text: text.trim() }]);
  return Object.fromEntries(entries) as Statements;
}

const summary = `c.id, c.name, c.first_name, c.last_name, c.email, c.phone_display, c.interest, c.source, c.owner_id,
  u.name as owner_name, c.last_activity_at, c.dnd, c.stage_id, s.name as stage_name, c.stage_kind, s.color as stage_color,
  c.value_cents, c.next_task_id, k.title as next_task_title, k.due_at as next_task_due_at`;
const record = `${summary}, c.company, c.address1, c.city, c.state, c.zip, c.timezone, c.external_ref, c.created_at, c.updated_at`;
const neighbours = `left join users u on u.id = c.owner_id left join stages s on s.id = c.stage_id
  left join tasks k on k.id = c.next_task_id`;
const from = `contacts c ${neighbours}`;
const alive = "c.location_id = ? and c.deleted_at is null";

const opportunity = `o.id, o.pipeline_id, p.name as pipeline_name, o.stage_id, g.name as stage_name, g.color as stage_color, o.status, o.name,
  o.value_cents, o.owner_id, w.name as owner_name, o.lost_reason, o.stage_entered_at, o.closed_at, o.created_at, o.updated_at`;
const opportunityFrom = `opportunities o join pipelines p on p.id = o.pipeline_id join stages g on g.id = o.stage_id
  left join users w on w.id = o.owner_id`;

/** The columns that a new opportunity and a new task fill, in the order in which they are bound. */
const opportunityColumns = [
  "location_id",
  "contact_id",
  "pipeline_id",
  "stage_id",
  "status",
  "name",
  "value_cents",
  "owner_id",
  "lost_reason",
  "stage_entered_at",
  "closed_at",
  "created_at",
  "updated_at",
];
const taskColumns = [
  "location_id",
  "contact_id",
  "title",
  "due_at",
  "completed_at",
  "assignee_id",
  "created_by_id",
  "created_at",
];

/** The texts of a contact, each of which has a key beside it in small letters. */
export const keyedTexts = [
  "name",
  "first_name",
  "last_name",
  "email",
  "phone_display",
  "company",
  "source",
  "interest",
  "address1",
  "city",
  "state",
  "zip",
  "timezone",
  "external_ref",
] as const;

/** The columns of a contact that a change writes, in the order in which they are bound. */
export const ownColumns = [
  ...keyedTexts,
  ...keyedTexts.map((text) => `${text}_key` as const),
  "phone_key",
  "dnd",
  "owner_id",
  "long_keys",
] as const;

type KeyedText = (typeof keyedTexts)[number];

function forEachText<Name extends string>(make: (text: KeyedText) => [Name, string]): Record<Name, string> {
  return Object.fromEntries(keyedTexts.map(make)) as Record<Name, string>;
}

function texts(dialect: Dialect) {
  const isSqlite = dialect === "sqlite";
  const list = (pairs: string, order: string, rest: string): string =>
    isSqlite
      ? `(select json_group_array(json_object(${pairs}) order by ${order}) from ${rest})`
      : `(select coalesce(json_agg(json_build_object(${pairs}) order by ${order}), '[]') from ${rest})`;
  const milliseconds = (column: string): string =>
    isSqlite ? column : `cast(extract(epoch from ${column}) * 1000 as bigint)`;

  const tags = list(
    "'id', t.id, 'name', t.name, 'color', t.color",
    "t.name_key, t.id",
    "contact_tags ct join tags t on t.id = ct.tag_id where ct.contact_id = c.id",
  );
  const notes = list(
    `'id', n.id, 'body', n.body, 'truncated', n.truncated, 'pinned', n.pinned, 'user_id', n.user_id, 'user_name', n.user_name,
     'created_at', ${milliseconds("n.created_at")}, 'updated_at', ${milliseconds("n.updated_at")}`,
    "n.id desc",
    `(select n.id, substr(n.body, 1, 4096) as body, length(n.body) > 4096 as truncated, n.pinned, n.user_id, n.created_at,
        n.updated_at, u.name as user_name from notes n left join users u on u.id = n.user_id
      where n.contact_id = c.id order by n.id desc limit 100) n`,
  );
  const activities = list(
    `'id', e.id, 'event', e.event, 'actor_type', e.actor_type, 'actor_id', e.actor_id, 'actor_name', e.actor_name,
     'changes', e.changes, 'created_at', ${milliseconds("e.created_at")}`,
    "e.id desc",
    `(select id, event, actor_type, actor_id, actor_name, changes, created_at from events
      where contact_id = c.id order by id desc limit 100) e`,
  );
  const opportunities = list(
    `'id', o.id, 'pipeline_id', o.pipeline_id, 'pipeline_name', o.pipeline_name, 'stage_id', o.stage_id, 'stage_name', o.stage_name,
     'stage_color', o.stage_color, 'status', o.status, 'name', o.name, 'value_cents', o.value_cents, 'owner_id', o.owner_id,
     'owner_name', o.owner_name, 'lost_reason', o.lost_reason, 'stage_entered_at', ${milliseconds("o.stage_entered_at")},
     'closed_at', ${milliseconds("o.closed_at")}, 'created_at', ${milliseconds("o.created_at")}, 'updated_at', ${milliseconds("o.updated_at")}`,
    "o.id desc",
    `(select ${opportunity} from ${opportunityFrom} where o.contact_id = c.id order by o.id desc limit 100) o`,
  );
  const tasks = list(
    `'id', k.id, 'title', k.title, 'due_at', ${milliseconds("k.due_at")}, 'completed_at', ${milliseconds("k.completed_at")},
     'assignee_id', k.assignee_id, 'assignee_name', k.assignee_name, 'created_by_id', k.created_by_id,
     'created_by_name', k.created_by_name, 'created_at', ${milliseconds("k.created_at")}`,
    "k.id desc",
    `(select k.id, k.title, k.due_at, k.completed_at, k.assignee_id, a.name as assignee_name, k.created_by_id, m.name as created_by_name,
        k.created_at from tasks k left join users a on a.id = k.assignee_id left join users m on m.id = k.created_by_id
      where k.contact_id = c.id order by k.id desc limit 100) k`,
  );
  const conversations = list(
    `'id', v.id, 'kind', v.kind, 'channel_id', v.channel_id, 'channel_name', v.channel_name, 'status', v.status,
     'snoozed_until', ${milliseconds("v.snoozed_until")}, 'assignee_id', v.assignee_id, 'assignee_name', v.assignee_name,
     'preview', v.preview, 'last_message_at', ${milliseconds("v.last_message_at")}, 'last_inbound_at', ${milliseconds("v.last_inbound_at")},
     'unread_count', v.unread_count, 'subject', v.subject, 'match_id', v.match_id, 'match_name', v.match_name`,
    "v.last_message_at desc, v.id desc",
    `(select n.*, h.name as channel_name, a.name as assignee_name, m.id as match_id, m.name as match_name
        from (select * from conversations where contact_id = c.id order by last_message_at desc, id desc limit 100) n
        join channels h on h.id = n.channel_id left join users a on a.id = n.assignee_id
        left join contacts m on m.id = n.possible_match_id and m.deleted_at is null) v`,
  );
  const page = `select ${summary}, ${tags} as tags from ${from} where ${alive}`;
  const order = "order by c.last_activity_at desc, c.id desc limit 201";
  const owned = `select c.id from contacts c where ${alive} and c.owner_id = ?`;
  const keys = keyedTexts.map((text) => `c.${text}_key`).join(", ");
  const position = isSqlite ? "instr" : "strpos";
  const byText = (text: string): string =>
    `select c.id from contacts c where ${alive} and ${position}(c.${text}_key, ?) > 0`;
  const byEmail = `select c.id from contacts c where ${alive} and c.email_key = ?`;
  // SQLite knows nothing of how many rows a key has: an order that no index gives leads it to the index of the key.
  const orderByKey = "order by coalesce(c.last_activity_at, c.created_at) desc, c.id desc";
  const feedOrder = "order by c.last_activity_at desc, c.id desc";
  const pageOf = (ids: string): string =>
    `select ${summary}, ${tags} as tags from (${ids}) p join contacts c on c.id = p.id ${neighbours} ${feedOrder}`;
  const insertColumns = ["location_id", ...ownColumns, "last_activity_at", "created_at", "updated_at"];

  return {
    authenticate: `select id, workspace_id, name, scopes, location_ids, expires_at, last_used_at
      from api_keys where hash = ? and revoked_at is null`,
    locate: "select id, country, timezone from locations where id = ? and workspace_id = ?",
    count: "select coalesce(sum(delta), 0) as total from contact_counts where location_id = ?",
    firstPage: `${page} ${order}`,
    laterPage: `${page} and (c.last_activity_at, c.id) < (?, ?) ${order}`,
    pageOfOwner: pageOf(`${owned} ${feedOrder} limit 201`),
    countOfOwner: `select count(*) as total from (${owned} limit 10001) o`,
    pageOfEmail: pageOf(`${byEmail} ${orderByKey} limit 201`),
    ...forEachText((text) => [`pageOf_${text}`, pageOf(`${byText(text)} ${feedOrder} limit 201`)]),
    ...forEachText((text) => [
      `countOf_${text}`,
      `select count(*) as total from (${byText(text)} ${feedOrder} limit 10001) o`,
    ]),
    countOfEmail: `select count(*) as total from (${byEmail} limit 10001) o`,
    contact: `select ${record}, ${tags} as tags, ${opportunities} as opportunities, ${tasks} as tasks,
      ${conversations} as conversations, ${notes} as notes, ${activities} as activities from ${from}
      where c.id = ? and c.location_id = ? and c.deleted_at is null`,
    lock: `select pg_advisory_xact_lock(lock) from (select distinct hashtextextended(value, 0) & 4095 as lock
      from json_array_elements_text(cast(? as json)) as listed(value) order by lock) as sorted`,
    match: `select ${record}, c.phone_key, ${keys}, ${tags} as tags from (
        select id from (select id from contacts where location_id = ? and email_key = ? and deleted_at is null order by id limit 1) e
        union select id from (select id from contacts where location_id = ? and phone_key = ? and deleted_at is null order by id limit 1) p
      ) m join contacts c on c.id = m.id ${neighbours} where c.deleted_at is null
      order by c.id${isSqlite ? "" : " for update of c"}`,
    hold: `select ${record}, c.phone_key, ${keys}, ${tags} as tags from ${from}
      where c.id = ? and c.location_id = ? and c.deleted_at is null${isSqlite ? "" : " for update of c"}`,
    holdReference: `select id, name, phone_display, email from contacts
      where id = ? and location_id = ? and deleted_at is null${isSqlite ? "" : " for update"}`,
    tag: "select id, name, color from tags where id = ? and workspace_id = ?",
    insertTag: `insert into contact_tags (contact_id, tag_id, created_at) values (?, ?, ?)
      on conflict (contact_id, tag_id) do nothing returning id`,
    countTags: "select count(*) as count from contact_tags where contact_id = ?",
    touch: "update contacts set last_activity_at = ? where id = ?",
    insertContact: `insert into contacts (${insertColumns.join(", ")}) values (${insertColumns.map(() => "?").join(", ")}) returning id`,
    updateContact: `update contacts set ${ownColumns.map((column) => `${column} = ?`).join(", ")}, last_activity_at = ?, updated_at = ? where id = ?`,
    ...eventTexts(isSqlite),
    opportunities: `select ${opportunity}, c.id as contact_id, c.name as contact_name from
      (select * from opportunities where location_id = ? and id < ? order by id desc limit 201) o
      join pipelines p on p.id = o.pipeline_id join stages g on g.id = o.stage_id left join users w on w.id = o.owner_id
      left join contacts c on c.id = o.contact_id and c.deleted_at is null order by o.id desc`,
    pipeline: "select id, name from pipelines where id = ? and location_id = ?",
    stage: `select s.id, s.name, s.kind, s.color, p.id as pipeline_id, p.name as pipeline_name from stages s
      join pipelines p on p.id = s.pipeline_id where s.id = ? and p.location_id = ?`,
    insertOpportunity: insertInto("opportunities", opportunityColumns),
    keepOpportunity: `update contacts set last_activity_at = ?, (stage_id, stage_kind, value_cents) =
      (select stage_id, status, value_cents from opportunities where contact_id = contacts.id
       order by case when status = 'open' then 0 else 1 end, id desc limit 1) where id = ?`,
    insertTask: insertInto("tasks", taskColumns),
    keepTask: `update contacts set last_activity_at = ?, (next_task_id) = (select id from tasks where contact_id = contacts.id
      and completed_at is null order by due_at, id limit 1) where id = ?`,
    ...conversationTexts(isSqlite),
    ...billingTexts,
    insertCount: "insert into contact_counts (location_id, delta) values (?, 1) returning id",
  };
}

function insertInto(table: string, columns: readonly string[]): string {
  return `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")}) returning id`;
}
