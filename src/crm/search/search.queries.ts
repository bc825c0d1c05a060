/**
 * Searches contacts, conversations, opportunities and tasks by text, best first. Of each kind the first `mostRanked` matches in the order of
 * the list are ranked, so that common texts are as cheap as rare ones.
 */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { truncate } from "../../kit/text.ts";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { holdsScope } from "../../operation/permission.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { findConversations } from "../conversations/conversation.queries.ts";
import { findOpportunities } from "../opportunities/opportunity.queries.ts";
import { findTasks } from "../tasks/task.queries.ts";
import { usualBounds } from "../contacts/list/contact.list-slices.ts";
import type { Bounds } from "../contacts/list/contact.list-slices.ts";
import { findBestContacts } from "./contact-matches.ts";
import type { ContactMatch } from "./contact-matches.ts";
import { findNamed, firstSlice, namedOpportunities, namedTasks } from "./named-records.ts";
import type { NamedList } from "./named-records.ts";
import { findOfContacts } from "./records-of-contacts.ts";
import type { RecordKind } from "./records-of-contacts.ts";
import { mostFound, mostShown } from "./search-limits.ts";
import type { Matched, SearchView } from "./search.view.ts";
import { readSearch } from "./text-rank.ts";

/** What affects speed only. */
export interface SearchBounds {
  readonly contacts: Bounds;
  /** Records of the first slice of a scan. */
  readonly slice: number;
}

const usual: SearchBounds = { contacts: usualBounds, slice: firstSlice };

/** The search of a reader: what finds records of any kind. */
interface Searching {
  readonly reader: Reader<LocationContext>;
  readonly q: string;
  readonly bounds: SearchBounds;
  readonly contacts: readonly ContactMatch[];
}

/** What of each kind the reader's scopes cover: a record is found by its contact only where contacts may be read. */
export async function search(
  reader: Reader<LocationContext>,
  q: string,
  bounds: SearchBounds = usual,
): Promise<SearchView> {
  const covers = (scope: ScopeName): boolean => holdsScope(reader.grant, scope);
  const contacts = covers("contacts.readonly") ? await findBestContacts(reader, q, bounds.contacts) : [];
  const searching = { reader, q, bounds, contacts };
  const [conversations, opportunities, tasks] = await Promise.all([
    covers("conversations.readonly") ? findConversationsOf(searching) : [],
    covers("opportunities.readonly") ? findDeals(searching) : [],
    covers("tasks.readonly") ? findToDos(searching) : [],
  ]);
  return { contacts: contacts.slice(0, mostFound).map(toFoundContact), conversations, opportunities, tasks };
}

function toFoundContact({ row, matched: { field, text } }: ContactMatch): SearchView["contacts"][number] {
  const { id, name, email, phone_display, last_activity_at } = row;
  const matched = toMatched(field, text);
  return { id, name, email, phone_display, last_activity_at: toTimestamp(last_activity_at), matched };
}

async function findConversationsOf(searching: Searching): Promise<SearchView["conversations"]> {
  const hits = await findByContact(searching, "conversations");
  return show(hits, await findConversations(searching.reader, [...hits.keys()]), (one) => {
    const { id, contact, kind, status, preview, last_message_at } = one;
    return { id, contact, kind, status, preview, last_message_at };
  });
}

async function findDeals(searching: Searching): Promise<SearchView["opportunities"]> {
  const hits = await findHits(searching, { kind: "opportunities", list: namedOpportunities, field: "name" });
  return show(hits, await findOpportunities(searching.reader, [...hits.keys()]), (one) => {
    const { id, contact, pipeline, stage, name, value_cents, status } = one;
    return { id, contact, pipeline, stage, name, value_cents, status };
  });
}

async function findToDos(searching: Searching): Promise<SearchView["tasks"]> {
  const hits = await findHits(searching, { kind: "tasks", list: namedTasks, field: "title" });
  return show(hits, await findTasks(searching.reader, [...hits.keys()]), (one) => {
    const { id, contact, title, due_at, overdue, completed_at } = one;
    return { id, contact, title, due_at, overdue, completed_at };
  });
}

/** What of a record matched, by its id; at most `mostFound`, best first. */
type Hits = ReadonlyMap<number, Matched>;

interface NamedKind {
  readonly kind: RecordKind;
  readonly list: NamedList;
  readonly field: Matched["field"];
}

/** Records whose own names match, then those of matching contacts. */
async function findHits(searching: Searching, { kind, list, field }: NamedKind): Promise<Hits> {
  const { reader, q, bounds } = searching;
  const [named, ofContacts] = await Promise.all([
    findNamed(reader, list, readSearch(q), bounds.slice),
    findByContact(searching, kind),
  ]);
  const own = named.map(({ id, name }): [number, Matched] => [id, toMatched(field, name)]);
  const hits = new Map(own.slice(0, mostFound));
  for (const [id, matched] of ofContacts) {
    if (hits.size === mostFound) break;
    if (!hits.has(id)) hits.set(id, matched);
  }
  return hits;
}

/** Records of matching contacts, in the order of these. */
async function findByContact({ reader, contacts }: Searching, kind: RecordKind): Promise<Hits> {
  const matchOf = new Map(contacts.map((match) => [match.row.id, match]));
  const found = await findOfContacts(reader, kind, [...matchOf.keys()]);
  return new Map(
    found.slice(0, mostFound).map(({ id, contactId }) => {
      const { field, text } = matchOf.get(contactId)!.matched;
      return [id, toMatched(`contact.${field}`, text)];
    }),
  );
}

function show<View extends { readonly id: number }, Shown>(
  hits: Hits,
  views: readonly View[],
  shorten: (view: View) => Shown,
): (Shown & { matched: Matched })[] {
  const viewOf = new Map(views.map((view) => [view.id, view]));
  return [...hits].flatMap(([id, matched]) => {
    // A record that was deleted meanwhile is left out.
    const view = viewOf.get(id);
    return view === undefined ? [] : [{ ...shorten(view), matched }];
  });
}

function toMatched(field: Matched["field"], text: string): Matched {
  return { field, text: truncate(text, mostShown) };
}
