/** The neighbours of contacts, each from its own folder, and the folds over them: count, forget, move, export. */
import type { Change, LocationContext, Reader } from "../../../events/caller.ts";
import type { ContactReference } from "../../contact-activity.ts";
import type { ContactNeighbour, MoveStep } from "../../contact-neighbour.ts";
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
 *
 * Each neighbour first moves an equal share, so that the statements of all of them travel together, in order, in one round trip to PostgreSQL: few
 * contacts have more. The rest is moved one neighbour after another.
 */
export async function moveNeighbours(
  change: Change<LocationContext>,
  { most, ...contacts }: MoveStep,
): Promise<number> {
  const share = Math.floor(most / contactNeighbours.length);
  let moved = 0;
  const unfinished = new Set(contactNeighbours);
  for (const { beginMove } of contactNeighbours) await beginMove?.(change, { ...contacts, most });
  if (share > 0) {
    const counts = await Promise.all(contactNeighbours.map(({ move }) => move(change, { ...contacts, most: share })));
    for (const [index, count] of counts.entries()) {
      moved += count;
      if (count < share) unfinished.delete(contactNeighbours[index]!);
    }
  }
  for (const { move } of unfinished) if (moved < most) moved += await move(change, { ...contacts, most: most - moved });
  return moved;
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
