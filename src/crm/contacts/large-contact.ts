/**
 * A contact with much text is put together in pieces, and one such contact after the other: to make megabytes in one go would
 * hold up everybody else, and to make them for many at once would fill the memory.
 */
import type { LocationContext, Reader } from "../../events/caller.ts";
import type { FieldChange } from "../../events/event-record.ts";
import { lineOf } from "../../events/read-line.ts";
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

/** What is shown without waiting in line: characters of JSON in the row, and texts that it leaves out. */
const mostAtOnce = 256 << 10;
const fewTexts = 8;

/** Texts that are read in one turn: a megabyte, of the longest. */
const pieceSize = 25;

/**
 * Who reads outside of a change has to wait for a connection, which changes may hold that stand in line. So these have a
 * line of their own, in which each reader stands behind its own reads alone. Of changes no more stand here than there are connections.
 */
const inReadLine = createFairLock(1);
const changeLine = createSerialQueue();

/**
 * Shows a contact; one with much text is read again when its turn has come, so that whoever waits keeps none of it. Refuses, as too many
 * requests, a reader who waits for too many of those.
 */
export async function showInTurn(
  reader: Reader<LocationContext>,
  row: FullRow,
  readAgain: () => Promise<FullRow>,
): Promise<ContactView> {
  const { opportunities, tasks, notes, conversations, activities } = row;
  const size = opportunities.length + tasks.length + notes.length + conversations.length + activities.length;
  if (size <= mostAtOnce) {
    const lists = toLists(row);
    const leftOut = longNotes(lists).length + longActivities(lists).length;
    if (leftOut === 0) return toContact(row, lists, reader.tools.clock.now().getTime());
    if (leftOut <= fewTexts) return complete(reader, row, lists);
  }
  const show = async (): Promise<ContactView> => {
    const current = await readAgain();
    return complete(reader, current, toLists(current));
  };
  return "record" in reader ? changeLine(show) : inReadLine(lineOf(reader), (turn) => turn(show));
}

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

/** Reads what the row leaves out. */
async function complete(reader: Reader<LocationContext>, row: FullRow, lists: ContactLists): Promise<ContactView> {
  const texts = await inPieces(longNotes(lists), (oldest, newest) => findLongNotes(reader, row.id, oldest, newest));
  const changes = await inPieces(longActivities(lists), async (oldest, newest) => {
    const found = await reader.rows<{ id: number; changes: string }>(longChangesText, [row.id, oldest, newest]);
    return found.map((event) => ({ id: event.id, changes: readJson<FieldChange>(event.changes) }));
  });
  const whole = {
    ...lists,
    notes: lists.notes.map((note) => ({ ...note, ...texts.get(note.id) })),
    activities: lists.activities.map((activity) => ({ ...activity, ...changes.get(activity.id) })),
  };
  // Written in one go: written in pieces, contacts that are put together already would wait in line and fill the memory.
  return toContact(row, whole, reader.tools.clock.now().getTime());
}

/** What `read` finds of `rows`, newest first, between two ids; whatever is asked for meanwhile is begun between two pieces. */
async function inPieces<Found extends { readonly id: number }>(
  rows: readonly { readonly id: number }[],
  read: (oldest: number, newest: number) => Promise<Found[]>,
): Promise<Map<number, Found>> {
  const found = new Map<number, Found>();
  for (let start = 0; start < rows.length; start += pieceSize) {
    const piece = rows.slice(start, start + pieceSize);
    for (const row of await read(piece.at(-1)!.id, piece[0]!.id)) found.set(row.id, row);
    if (piece.length === pieceSize) await yieldToEventLoop();
  }
  return found;
}
