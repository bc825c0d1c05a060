/** Updates the text index of contacts from the event log, in bounded batches, and builds it. */
import type { Database, Transaction } from "../storage/database.ts";
import { jsonTexts, listed } from "../storage/json.ts";
import { untilCommit } from "../storage/locks.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { Duty } from "../kit/duty.ts";
import { contains } from "../storage/reading/text-matching.ts";
import { joinSql, sql } from "../storage/sql-text.ts";
import { extensionIsMissing } from "../storage/reading/trigram-extension.ts";
import { eventsOf } from "../events/following/positioned-events.ts";
import type { EventName } from "../vocabulary/events.ts";
import { textKeys } from "./contact.entity.ts";
import { contactTexts } from "./contact-texts.ts";

/** A batch takes some ten milliseconds, in which an embedded database writes nothing else. */
const eventsAtOnce = 300;
const contactsAtOnce = 300;

interface IndexState {
  readonly position: number;
  readonly built_to: number | null;
}

interface FollowedEvent {
  readonly position: number;
  readonly contact_id: number | null;
  readonly event: EventName;
}

const stateText = "select position, built_to from contact_text_index where id = 1";
const lockText = sql`${stateText}${untilCommit("contact_text_index")}`;
const eventsText = sql`select log.position, events.contact_id, events.event from ${eventsOf(sql`event_positions`)}
  where log.position > ? order by log.position limit ${eventsAtOnce}`;
/** In the order of its index: PostgreSQL would else expect a match early in a scan of the whole log. */
const isBehindText = "select 1 from event_positions where position > ? order by position limit 1";
const contactsText = `select id from contacts where id > ? order by id limit ${contactsAtOnce}`;

/** As conversations are searched by it; usually a part of the full name. */
const bothNames = sql`first_name_key || ' ' || last_name_key`;
const ownNames = new Set(["first_name_key", "last_name_key"]);
const texts = [
  ...["phone_key", ...textKeys.filter((key) => !ownNames.has(key))].map((column) => sql`coalesce(${column}, '')`),
  sql`case when ${contains(sql`name_key`, sql`(${bothNames})`)} then '' else ${bothNames} end`,
  sql`coalesce(${jsonTexts("long_keys")}, '')`,
];

/** Folded texts contain no line breaks: no match spans two of them. */
const putText = contactTexts.put(
  sql`select id, ${joinSql(texts, " || '\n' || ")} from contacts where id in ${listed} and deleted_at is null`,
);

/** Does one bounded batch; resolves to whether there was one. */
export async function followContactTexts(database: Database): Promise<boolean> {
  const [state] = await database.rows<IndexState>(stateText);
  if (state === undefined) return false;
  if (state.built_to === null && (await database.rows(isBehindText, [state.position])).length === 0) return false;
  await database.transaction(async (transaction) => {
    const [locked] = await transaction.rows<IndexState>(lockText);
    if (locked!.built_to === null) await follow(transaction, locked!.position);
    else await build(transaction, locked!.built_to);
  });
  return true;
}

async function follow(transaction: Transaction, after: number): Promise<void> {
  const events = await transaction.rows<FollowedEvent>(eventsText, [after]);
  const last = events.at(-1);
  if (last === undefined) return;
  const idsOf = (...names: readonly EventName[]) => {
    const ids = events.flatMap(({ event, contact_id }) =>
      names.includes(event) && contact_id !== null ? contact_id : [],
    );
    return JSON.stringify([...new Set(ids)]);
  };
  transaction.send(putText, [idsOf("contact.created", "contact.updated")]);
  transaction.send(contactTexts.remove, [idsOf("contact.deleted")]);
  transaction.send("update contact_text_index set position = ? where id = 1", [last.position]);
}

/** The first batch empties the index, and notes the end of the log: later changes are followed after the build. */
async function build(transaction: Transaction, after: number): Promise<void> {
  if (after === 0) {
    transaction.send(contactTexts.clear);
    transaction.send(
      "update contact_text_index set position = (select last_position from event_log where id = 1) where id = 1",
    );
  }
  const contacts = await transaction.rows<{ id: number }>(contactsText, [after]);
  transaction.send(putText, [JSON.stringify(contacts.map(({ id }) => id))]);
  const isLast = contacts.length < contactsAtOnce;
  transaction.send("update contact_text_index set built_to = ? where id = 1", [isLast ? null : contacts.at(-1)!.id]);
}

const lastContactText = "select coalesce(max(id), 0) as last from contacts";
const countText = "select count(*) as count from contacts where deleted_at is null";
/** Where the index could not be created before. */
const addStateText = sql`insert into contact_text_index (id, built_to) select 1, 0 where ${contactTexts.exists} on conflict (id) do nothing`;
const restartText = "update contact_text_index set built_to = 0 where built_to is null";

export interface RebuildOptions {
  readonly signal: AbortSignal;
  /** Called after each batch: the id reached, and the highest one. */
  progress(reached: number, last: number): void;
}

/**
 * Builds the index anew, or resumes an interrupted build; the worker may take some of its batches. Until it is complete, lists are scanned.
 * Resolves to the number of contacts, or null if the database has no text index.
 */
export async function rebuildContactTexts(
  database: Database,
  { signal, progress }: RebuildOptions,
): Promise<number | null> {
  await database.transaction(async (transaction) => {
    transaction.sendOnce(contactTexts.create);
    transaction.send(addStateText);
    transaction.send(restartText);
  });
  if ((await database.rows(stateText)).length === 0) return null;
  const [highest] = await database.rows<{ last: number }>(lastContactText);
  for (;;) {
    const [state] = await database.rows<IndexState>(stateText);
    if (state!.built_to === null) break;
    progress(state!.built_to, highest!.last);
    signal.throwIfAborted();
    await followContactTexts(database);
  }
  const [counted] = await database.rows<{ count: number }>(countText);
  return counted!.count;
}

/** Between two runs, in milliseconds: commits are gathered, as batches cost less a row. */
const gathering = 500;

const noIndex = `${extensionIsMissing}: searches for a part of a text scan the contacts. Install it, then run "crm search rebuild".`;

/** Woken by commits, and at work twice a second at most. Logs once if the database has no text index. */
export function contactTextDuty(database: Database, clock: Clock, log: { info(sentence: string): void }): Duty {
  let isLogged = false;
  let restsUntil = 0;
  let isWanted = false;
  return {
    name: "update the text index of contacts",
    wokenByCommits: true,
    async run() {
      const wait = restsUntil - clock.now().getTime();
      // A longer wait than ever set: the clock was set back.
      isWanted = wait > 0 && wait <= gathering;
      if (isWanted) return "done";
      if (await followContactTexts(database)) return "more";
      if (!isLogged && (await database.rows(stateText)).length === 0) log.info(noIndex);
      isLogged = true;
      restsUntil = clock.now().getTime() + gathering;
      return "done";
    },
    nextDue: async () => (isWanted ? new Date(restsUntil) : null),
  };
}
