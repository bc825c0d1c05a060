/**
 * Builds contacts with much text in chunks, one contact after the other: building megabytes at once would block the event loop, and building
 * many of them concurrently would exhaust the memory.
 */
import type { LocationContext, Reader } from "../../events/caller.ts";
import type { FieldChange } from "../../events/event-record.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { awaitWritten, markLong } from "../../kit/json/long-lists.ts";
import { createFairLock, createSerialQueue, yieldToEventLoop } from "../../kit/waiting/fair-lock.ts";
import { readJson } from "../../storage/json.ts";
import type { EmbeddedConversationRow } from "../conversations/conversation.view.ts";
import { findLongNotes } from "../notes/note.queries.ts";
import type { EmbeddedNoteRow } from "../notes/note.view.ts";
import type { EmbeddedOpportunityRow } from "../opportunities/opportunity.view.ts";
import type { EmbeddedTaskRow } from "../tasks/task.view.ts";
import { longChangesText } from "./contact.row.ts";
import type { ActivityRow, FullRow } from "./contact.row.ts";
import { toContact } from "./contact.view.ts";
import type { ContactLists, ContactView } from "./contact.view.ts";

/** Limits below which a contact is built immediately: characters of JSON in the row, and texts to read separately. */
const mostCharacters = 256 << 10;
const fewTexts = 8;

/** Texts read per chunk: up to a megabyte. */
const chunkSize = 25;

/**
 * Reads and changes have separate queues: a read outside a change needs a connection, and the connections may be held by changes that are
 * queued here. Reads are queued fairly by reader; the queue of changes is bounded by the number of connections.
 */
const inReadQueue = createFairLock(1);
const changeQueue = createSerialQueue();

/** Contacts that were long when last read, the latest last: their rows are not read before their turn. */
const known = new Set<number>();
const mostKnown = 1_000;

function remember(id: number, isLong: boolean): void {
  known.delete(id);
  if (!isLong) return;
  known.add(id);
  if (known.size > mostKnown) known.delete(known.values().next().value!);
}

/** Reads a contact and builds its response, in the queue if it was long when it was last read. */
export async function readAndShow(
  reader: Reader<LocationContext>,
  id: number,
  read: () => Promise<FullRow>,
): Promise<ContactView> {
  return known.has(id) ? showInQueue(reader, read) : showQueued(reader, await read(), read);
}

/**
 * The response of a contact. One with much text is queued and then read again, so that queued requests hold no rows in memory. A reader
 * with too many queued requests is refused (429).
 */
export async function showQueued(
  reader: Reader<LocationContext>,
  row: FullRow,
  readAgain: () => Promise<FullRow>,
): Promise<ContactView> {
  const lists = shortLists(row);
  if (lists === undefined) return showInQueue(reader, readAgain);
  return countOmitted(lists) === 0
    ? toContact(row, lists, reader.tools.clock.now().getTime())
    : complete(reader, row, lists);
}

async function showInQueue(reader: Reader<LocationContext>, read: () => Promise<FullRow>): Promise<ContactView> {
  const show = async (): Promise<ContactView> => {
    const row = await read();
    const short = shortLists(row);
    remember(row.id, short === undefined);
    return complete(reader, row, short ?? toLists(row));
  };
  if ("record" in reader) return changeQueue(show);
  const built = await inReadQueue(queueKeyOf(reader), (turn) =>
    turn(async () => {
      await awaitWritten();
      return show();
    }),
  );
  for (const list of [built.opportunities, built.tasks, built.notes, built.conversations, built.activities])
    markLong(list);
  return built;
}

/** The lists of the row, if the contact can be built immediately. Much text is not parsed to find out. */
function shortLists(row: FullRow): ContactLists | undefined {
  const { opportunities, tasks, notes, conversations, activities } = row;
  const size = opportunities.length + tasks.length + notes.length + conversations.length + activities.length;
  if (size > mostCharacters) return undefined;
  const lists = toLists(row);
  return countOmitted(lists) > fewTexts ? undefined : lists;
}

const countOmitted = (lists: ContactLists): number => longNotes(lists).length + longActivities(lists).length;

function toLists(row: FullRow): ContactLists {
  return {
    opportunities: readJson<EmbeddedOpportunityRow>(row.opportunities),
    tasks: readJson<EmbeddedTaskRow>(row.tasks),
    notes: readJson<EmbeddedNoteRow>(row.notes),
    conversations: readJson<EmbeddedConversationRow>(row.conversations),
    activities: readJson<ActivityRow>(row.activities),
  };
}

const longNotes = ({ notes }: ContactLists): EmbeddedNoteRow[] => notes.filter(({ body }) => body === "");
const longActivities = ({ activities }: ContactLists): ActivityRow[] =>
  activities.filter(({ changes }) => changes === "");

/** Reads the texts that the row omits. */
async function complete(reader: Reader<LocationContext>, row: FullRow, lists: ContactLists): Promise<ContactView> {
  const texts = await inChunks(longNotes(lists), (oldest, newest) => findLongNotes(reader, row.id, oldest, newest));
  const changes = await inChunks(longActivities(lists), async (oldest, newest) => {
    const found = await reader.rows<{ id: number; changes: string }>(longChangesText, [row.id, oldest, newest]);
    return found.map((event) => ({ id: event.id, changes: readJson<FieldChange>(event.changes) }));
  });
  const whole = {
    ...lists,
    notes: lists.notes.map((note) => ({ ...note, ...texts.get(note.id) })),
    activities: lists.activities.map((activity) => ({ ...activity, ...changes.get(activity.id) })),
  };
  return toContact(row, whole, reader.tools.clock.now().getTime());
}

/** Calls `read` for chunks of `rows` (newest first), by id range, and yields to the event loop between chunks. */
async function inChunks<Found extends { readonly id: number }>(
  rows: readonly { readonly id: number }[],
  read: (oldest: number, newest: number) => Promise<Found[]>,
): Promise<Map<number, Found>> {
  const found = new Map<number, Found>();
  for (let start = 0; start < rows.length; start += chunkSize) {
    const chunk = rows.slice(start, start + chunkSize);
    for (const row of await read(chunk.at(-1)!.id, chunk[0]!.id)) found.set(row.id, row);
    if (chunk.length === chunkSize) await yieldToEventLoop();
  }
  return found;
}
