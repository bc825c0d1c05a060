/** The neighbours of contacts, each from its own folder, and the folds over them: count, forget, move, export. */
import type { Change, LocationContext, Reader } from "../../../events/caller.ts";
import type { ContactReference } from "../../contact-activity.ts";
import type { ContactMove, ContactNeighbour, MoveStep } from "../../contact-neighbour.ts";
import {
  conversationNeighbour,
  possibleMatchNeighbour,
  removedMailNeighbour,
} from "../../conversations/conversation.neighbour.ts";
import { customValueNeighbour } from "../../custom-fields/custom-value.neighbour.ts";
import { noteNeighbour } from "../../notes/note.neighbour.ts";
import { opportunityNeighbour } from "../../opportunities/opportunity.neighbour.ts";
import { tagNeighbour } from "../../tags/tag.neighbour.ts";
import { taskNeighbour } from "../../tasks/task.neighbour.ts";
import { recheckGoals } from "../../workflow-goals.ts";
import { workflowRunNeighbour } from "../../workflow-runs/workflow-run.neighbour.ts";
import { mergeNeighbour } from "../merging/merge.neighbour.ts";
import { timelineNeighbour } from "./timeline.neighbour.ts";

/**
 * In the order in which a deletion and a move process them: redirects first, and runs, which the engine ends where their contact is gone; the
 * timeline last, since both write events.
 */
export const contactNeighbours: readonly ContactNeighbour[] = [
  mergeNeighbour,
  workflowRunNeighbour,
  conversationNeighbour,
  possibleMatchNeighbour,
  removedMailNeighbour,
  opportunityNeighbour,
  taskNeighbour,
  noteNeighbour,
  tagNeighbour,
  customValueNeighbour,
  timelineNeighbour,
];

const countsText = contactNeighbours
  .map(({ column }, index) => {
    const [table, name] = column.split(".");
    return `select ${index} as neighbour, count(*) as count from ${table} where ${name} = ?`;
  })
  .join(" union all ");

/** How many rows of each neighbour refer to the contact, by the neighbour's name. One statement. */
export async function countNeighbours(reader: Reader, contactId: number): Promise<ReadonlyMap<string, number>> {
  const counts = await reader.rows<{ neighbour: number; count: number }>(
    countsText,
    contactNeighbours.map(() => contactId),
  );
  return new Map(counts.map(({ neighbour, count }) => [contactNeighbours[neighbour]!.name, Number(count)]));
}

/** Updates the neighbours of a contact that is locked and already marked as deleted. */
export async function forgetContact(change: Change<LocationContext>, contact: ContactReference): Promise<void> {
  // Sequentially: keeps the lock order and the order of events.
  for (const { forget } of contactNeighbours) if (forget !== "kept") await forget(change, contact);
}

/**
 * Moves about `most` rows of a contact to another; both are locked. Resolves to how many: less than `most` once no row refers to `from`. Safe to
 * continue in another change.
 */
export async function moveNeighbours(change: Change<LocationContext>, step: MoveStep): Promise<number> {
  const begin = await beginMove(change, { from: step.from, to: step.to.id });
  begin(step.to);
  return (await moveBegun(change, step, async () => {})).moved;
}

/** Finds what must end before rows move; resolves to a function that ends it. To be called in the turn that locks the contacts, behind it. */
export async function beginMove(
  change: Change<LocationContext>,
  move: ContactMove,
): Promise<(to: ContactReference) => void> {
  const ends = await Promise.all(contactNeighbours.map(({ beginMove: begin }) => begin?.(change, move)));
  return (to) => {
    for (const end of ends) end?.(to);
  };
}

/**
 * The move of moveNeighbours, begun by beginMove. `read` reads what it leaves behind.
 *
 * Each neighbour first moves an equal share, so that the statements of all of them travel together, in order, in one round trip to PostgreSQL,
 * with those of `read`: few contacts have more. The rest is moved one neighbour after another, and read again.
 */
export async function moveBegun<Read>(
  change: Change<LocationContext>,
  { most, ...contacts }: MoveStep,
  read: () => Promise<Read>,
): Promise<{ readonly moved: number; readonly read: Read }> {
  const share = Math.floor(most / contactNeighbours.length);
  const moving = share === 0 ? [] : contactNeighbours.map(({ move }) => move(change, { ...contacts, most: share }));
  updateProjections(change, contacts.to.id);
  const [first, ...counts] = await Promise.all([read(), ...moving]);
  let moved = counts.reduce((sum, count) => sum + count, 0);
  const unfinished = contactNeighbours.filter((_, index) => (counts[index] ?? 0) >= share);
  if (unfinished.length === 0 || moved >= most) return { moved, read: first };
  for (const { move } of unfinished) if (moved < most) moved += await move(change, { ...contacts, most: most - moved });
  updateProjections(change, contacts.to.id);
  return { moved, read: await read() };
}

const projected = contactNeighbours.flatMap(({ column, projection }) => {
  if (projection === undefined) return [];
  const [table] = column.split(".");
  return { set: projection.assignment, any: `exists (select 1 from ${table} where ${column} = contacts.id)` };
});

/** One statement for all of them: a new version of the contact's row is written to most of its indexes. */
const projectionsText = `update contacts set ${projected.map(({ set }) => set).join(", ")}
  where id = ? and (${projected.map(({ any }) => any).join(" or ")})`;

function updateProjections(change: Change<LocationContext>, contactId: number): void {
  change.send(projectionsText, [contactId]);
  recheckGoals(change, [contactId]);
}

/** The records of one neighbour that are exported of a contact, page by page: one page is in memory at a time. */
export async function* exportPages(
  reader: Reader<LocationContext>,
  contactId: number,
  { export: readPage }: ContactNeighbour,
): AsyncGenerator<readonly object[]> {
  if (readPage === "hidden") return;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data, next_cursor }: Awaited<ReturnType<typeof readPage>> = await readPage(reader, contactId, { cursor });
    if (data.length > 0) yield data;
    cursor = next_cursor;
  }
}
