/**
 * Reads that the runs of a batch share (batch loading): what several of them ask in one turn of the event loop is one statement. A run waits for
 * its answers and holds the lock of its contact, so each reads what it would read alone.
 */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import { findRecordRows, getRecordRow } from "../../contacts/contact.queries.ts";
import type { RecordRow } from "../../contacts/contact.row.ts";
import { findMatching } from "../../contacts/list/contact-match.ts";
import type { ContactFilters } from "../../contacts/list/contact.filters.ts";
import { findNamedTag } from "../../tags/tag.queries.ts";
import type { TagView } from "../../tags/tag.view.ts";

type BatchChange = Change<LocationContext>;

/** The reads of one transaction. */
export interface SharedReads {
  /** As `getRecordRow`. */
  readonly record: (change: BatchChange, contactId: number) => Promise<RecordRow>;
  /** As `matchesContact`. */
  readonly matches: (change: BatchChange, contactId: number, filters: ContactFilters) => Promise<boolean>;
  /** As `findNamedTag`. */
  readonly tag: (change: BatchChange, named: number | string) => Promise<TagView | undefined>;
}

export function createSharedReads(): SharedReads {
  const records = gather(
    (one: BatchChange, other) => one.location.id === other.location.id,
    async (change, ids: readonly number[]) =>
      ids.length === 1 ? new Map([[ids[0]!, await getRecordRow(change, ids[0]!)]]) : findRecordRows(change, ids),
  );
  const matching = gather(
    (one: { change: BatchChange; filters: ContactFilters }, other) =>
      one.change.location.id === other.change.location.id && haveSameGroups(one.filters, other.filters),
    ({ change, filters }, ids: readonly number[]) => findMatching(change, ids, filters),
  );
  const tags = gather(
    (one: { change: BatchChange; named: number | string }, other) =>
      one.change.workspaceId === other.change.workspaceId && one.named === other.named,
    ({ change, named }) => findNamedTag(change, named),
  );
  return {
    async record(change, contactId) {
      const row = (await records(change, contactId)).get(contactId);
      if (row === undefined) throw new Refusal("contact.not_found");
      return row;
    },
    matches: async (change, contactId, filters) => (await matching({ change, filters }, contactId)).has(contactId),
    tag: (change, named) => tags({ change, named }, 0),
  };
}

/** Groups of a filter keep their identity as long as its definition is cached. */
function haveSameGroups(one: ContactFilters, other: ContactFilters): boolean {
  return one.length === other.length && one.every((group, place) => group === other[place]);
}

/** Asks once, with all their ids, for the questions of one turn that are alike. */
function gather<Question, Answer>(
  areAlike: (one: Question, other: Question) => boolean,
  ask: (question: Question, ids: readonly number[]) => Promise<Answer>,
): (question: Question, id: number) => Promise<Answer> {
  const waiting: { readonly question: Question; readonly ids: number[]; readonly answer: Promise<Answer> }[] = [];
  return (question, id) => {
    let found = waiting.find((one) => areAlike(one.question, question));
    if (found === undefined) {
      const ids: number[] = [];
      const answer = endOfTurn().then(() => {
        waiting.splice(waiting.indexOf(found!), 1);
        return ask(question, ids);
      });
      found = { question, ids, answer };
      waiting.push(found);
    }
    found.ids.push(id);
    return found.answer;
  };
}

/** Resolves when every promise that can settle now has settled: the runs of a batch ask at different depths of their calls. */
function endOfTurn(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
