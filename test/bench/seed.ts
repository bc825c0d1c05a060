/** Fills a database with contacts and what hangs on them by bulk SQL: the same rows on SQLite and on PostgreSQL. */
import type { Connection } from "./connection.ts";
import { conversationStatements, eventStatements, positionStatements } from "./seed-conversations.ts";
import { dealsOfFull, fullContacts, restOfFull } from "./seed-full.ts";
import { day, numbers, oneOf, timeOn } from "./seed-sql.ts";

export interface Seed {
  readonly workspaceId: number;
  /** Contact n belongs to location firstLocation + (n - 1) % locations. */
  readonly firstLocation: number;
  readonly locations: number;
  readonly contacts: number;
  /** The people that own contacts, evenly; a tenth has no owner. */
  readonly owners: readonly number[];
  /** Owns a thousand contacts of the first location, whatever its size. */
  readonly rareOwner: number;
  /** No contact is younger: milliseconds. */
  readonly until: number;
}

/** How many contacts of the first location the rare owner has. */
const rareContacts = 1000;
export const seedTags = 20;

/**
 * Contacts have the ids 1 to `contacts`, and e-mail addresses that seedEmail tells; the few full ones follow. Each has a conversation of
 * the same id. Nothing may be there before.
 */
export async function seedContacts(connection: Connection, seed: Seed): Promise<void> {
  const { dialect } = connection;
  await connection.run("begin");
  for (const statement of statements(dialect, seed)) await connection.run(statement);
  if (dialect === "postgres") {
    await connection.run("select setval(pg_get_serial_sequence('contacts', 'id'), (select max(id) from contacts))");
    await connection.run("select setval(pg_get_serial_sequence('tags', 'id'), (select max(id) from tags))");
  }
  // These rows have no events that the text index could follow.
  await connection.run("update text_indexes set built_to = 0");
  await connection.run("commit");
  // As in service: PostgreSQL analyzes by itself, and SQLite is never told to.
  await connection.run(dialect === "sqlite" ? "vacuum" : "vacuum analyze");
  if (dialect === "sqlite") await connection.run("pragma wal_checkpoint(truncate)");
}

export function seedEmail(contact: number): string {
  return `person.${contact}@example.com`;
}

function statements(dialect: Connection["dialect"], seed: Seed): string[] {
  const { workspaceId, firstLocation, locations, owners, rareOwner, until } = seed;
  const contacts = seed.contacts + fullContacts;
  const time = timeOn(dialect);
  const full = { workspaceId, after: seed.contacts, user: owners[0]!, until };

  // Every contact is active at another moment, and neighbours by id are not neighbours in the list.
  const active = time(`${until} - (cast(n as bigint) * 7919 % ${contacts}) * 1000`);
  const born = time(`${until - 60 * day} - (${contacts} - n) * 1000`);
  const first = oneOf(firstNames, "n");
  const last = `${oneOf(lastNames, "(n / 7)")} || ' ' || (n % 1000)`;
  const digits = `cast(1000000 + n as text)`;
  const place = `(n / ${locations})`;
  const owner = `case when n % ${locations} = 1 % ${locations} and ${place} < ${rareContacts} then ${rareOwner}
    when ${place} % 10 = 0 then null ${owners.map((id, index) => `when ${place} % ${owners.length} = ${index} then ${id}`).join(" ")} end`;

  return [
    `${numbers(seedTags)} insert into tags (id, workspace_id, name, name_key, color, created_at)
     select n, ${workspaceId}, 'Tag ' || n, 'tag ' || n, case when n % 2 = 0 then '#336699' end, ${time(String(until))} from numbers`,
    `${numbers(contacts)} insert into contacts (id, location_id, name, first_name, last_name, email, email_key,
       phone_display, phone_key, company, source, interest, address1, city, state, zip, timezone, dnd, owner_id, external_ref,
       last_activity_at, created_at, updated_at, name_key)
     select n, ${firstLocation} + (n - 1) % ${locations}, ${first} || ' ' || ${last}, ${first}, ${last},
       'person.' || n || '@example.com', 'person.' || n || '@example.com',
       '(212) ' || substr(${digits}, 1, 3) || '-' || substr(${digits}, 4), '+1212' || ${digits},
       'Company ' || (n % 5000), ${oneOf(sources, "n")}, ${oneOf(interests, "(n / 3)")}, (n % 900) || ' Main Street', ${oneOf(cities, "n")}, 'NY', '10001',
       'America/New_York', n % 50 = 0, ${owner}, case when n % 2 = 0 then 'import-' || n end, ${active}, ${born}, ${active}, ''
     from numbers`,
    `update contacts set ${keyedTexts.map((text) => `${text}_key = lower(${text})`).join(", ")}`,
    `${numbers(contacts)} insert into contact_tags (contact_id, tag_id, created_at)
     select n, 1 + n % ${seedTags}, ${active} from numbers where n % 3 > 0
     union all select n, 1 + (n + 7) % ${seedTags}, ${active} from numbers where n % 3 = 2`,
    // Of each location every second contact has an opportunity, one of ten a second one, in whatever stage of its pipeline.
    ...[2, 10].map(
      (
        share,
      ) => `insert into opportunities (location_id, contact_id, pipeline_id, stage_id, status, name, value_cents, owner_id,
       lost_reason, stage_entered_at, closed_at, created_at, updated_at)
     select n.location_id, n.id, p.id, s.id, s.kind, 'Deal ' || n.id, n.id % 10000 * 100, n.owner_id,
       case when s.kind = 'lost' then 'Price' end, n.created_at, case when s.kind <> 'open' then n.last_activity_at end, n.created_at,
       n.last_activity_at
     from contacts n join pipelines p on p.location_id = n.location_id
       join stages s on s.pipeline_id = p.id and s.place = 1 + (n.id / ${locations} / ${share}) % 5
     where (n.id / ${locations}) % ${share} = 0 order by n.id`,
    ),
    // A third of them has something to be done, long ago or far ahead, and every seventh something that is done.
    `insert into tasks (location_id, contact_id, title, due_at, assignee_id, created_at)
     select location_id, id, 'Call about deal ' || id, ${time(`${until} + (id % 2000 - 1000) * cast(${day} as bigint)`)}, owner_id, created_at
     from contacts where (id / ${locations}) % 3 = 0 order by id`,
    `insert into tasks (location_id, contact_id, title, due_at, completed_at, assignee_id, created_at)
     select location_id, id, 'Send a price list', last_activity_at, last_activity_at, owner_id, created_at
     from contacts where (id / ${locations}) % 7 = 0 order by id`,
    ...dealsOfFull(full, dialect),
    `update contacts set (stage_id, stage_kind, value_cents) = (select stage_id, status, value_cents from opportunities
       where contact_id = contacts.id order by case when status = 'open' then 0 else 1 end, id desc limit 1)
     where (id / ${locations}) % 2 = 0 or id > ${seed.contacts}`,
    `update contacts set (next_task_id) = (select id from tasks where contact_id = contacts.id and completed_at is null
       order by due_at, id limit 1) where (id / ${locations}) % 3 = 0 or id > ${seed.contacts}`,
    `${numbers(contacts)} insert into notes (contact_id, body, pinned, user_id, created_at, updated_at)
     select n, 'Called on behalf of company ' || (n % 5000) || ' and asked for a quote; wants to be called back.', n % 10 = 0,
       ${owners[0]!}, ${active}, ${active} from numbers where n % 5 = 0`,
    `${numbers(contacts)} insert into events (workspace_id, location_id, event, contact_id, actor_type, actor_id, actor_name,
       changes, data, created_at)
     select ${workspaceId}, ${firstLocation} + (n - 1) % ${locations}, 'contact.created', n, 'api_key', 1, 'default', null, null, ${born} from numbers
     union all select ${workspaceId}, ${firstLocation} + (n - 1) % ${locations}, 'contact.updated', n, 'user', ${owners[0]!}, 'Owner',
       '[{"field":"company","old":null,"new":"Company ' || (n % 5000) || '"}]', null, ${active} from numbers`,
    ...conversationStatements(dialect, { ...seed, contacts, assignee: owners[0]! }),
    ...restOfFull(full),
    // What came before counted no contact that lives.
    "delete from contact_counts",
    "insert into contact_counts (location_id, delta) select location_id, count(*) from contacts group by location_id",
    ...positionStatements,
    ...eventStatements({ ...seed, contacts, assignee: owners[0]! }),
  ];
}

/** Of which the letters beyond ASCII are small already. */
const keyedTexts = [
  "name",
  "first_name",
  "last_name",
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
];
const firstNames = ["Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Frances", "Ken", "Radia", "Tony", "Zoë"];
const lastNames = [
  "Lovelace",
  "Hopper",
  "Turing",
  "Dijkstra",
  "Liskov",
  "Knuth",
  "Allen",
  "Thompson",
  "Perlman",
  "Hoare",
  "Navrátil",
];
const sources = ["website", "referral", "import", "phone"];
const interests = ["Roof repair", "Solar panels", "Annual maintenance"];
const cities = ["New York", "Albany", "Buffalo", "Syracuse", "Rochester"];
