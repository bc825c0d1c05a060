/** Enrolls all contacts that match filters: in pieces of ids, each contact once, so that it can be interrupted and run again. */
import type { Caller, LocationContext } from "../../events/caller.ts";
import { listed } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import { findMatching } from "../contacts/list/contact-match.ts";
import type { ContactFilters } from "../contacts/list/contact.filters.ts";
import { enrollContacts } from "../workflow-runs/enrollment.service.ts";

/** The ids that a piece looks at, and the enrollments of a transaction. */
const idsAtOnce = 1000;
const enrolledAtOnce = 50;

const rangeText = `select id from contacts where id > ? and id <= ? and location_id = ? and deleted_at is null order by id`;
const lastText = "select max(id) as last from contacts";
const earlierText = sql`select distinct contact_id from workflow_runs where workflow_id = ? and contact_id in ${listed}`;

interface MatchingEnrollment {
  readonly workflowId: number;
  readonly filters: ContactFilters;
  readonly context: Readonly<Record<string, unknown>>;
  /** Continues behind this id. */
  readonly after: number;
  /** Counts the contacts, and enrolls none. */
  readonly isDryRun: boolean;
}

export interface EnrolledPiece {
  /** Enrolled; in a dry run, to be enrolled. */
  readonly enrolled: number;
  /** They match, and have been in the workflow before. */
  readonly passed_over: number;
  /** By their reason. */
  readonly refused: Record<string, number>;
  /** Where the next piece begins; null after the last. */
  readonly next_after: number | null;
}

/** Enrolls the matching contacts of the next ids. Refuses, with 422 on `workflow`, one that is not published. */
export async function enrollPiece(
  caller: Caller<LocationContext>,
  { workflowId, filters, context, after, isDryRun }: MatchingEnrollment,
): Promise<EnrolledPiece> {
  const [contacts] = await caller.rows<{ last: number | null }>(lastText);
  const upTo = after + idsAtOnce;
  const ofRange = await caller.rows<{ id: number }>(rangeText, [after, upTo, caller.location.id]);
  const ids = ofRange.map(({ id }) => id);
  const matching = ids.length === 0 ? new Set<number>() : await findMatching(caller, ids, filters);
  const earlier = await caller.rows<{ contact_id: number }>(earlierText, [workflowId, JSON.stringify([...matching])]);
  const known = new Set(earlier.map(({ contact_id }) => contact_id));
  const wanted = ids.filter((id) => matching.has(id) && !known.has(id));
  const refused: Record<string, number> = {};
  let enrolled = isDryRun ? wanted.length : 0;
  for (let start = 0; start < wanted.length && !isDryRun; start += enrolledAtOnce) {
    const part = wanted.slice(start, start + enrolledAtOnce);
    const results = await caller.change((change) => enrollContacts(change, { workflowId, contactIds: part, context }));
    const refusals = results.flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
    enrolled += part.length - refusals.length;
    for (const reason of refusals) refused[reason] = (refused[reason] ?? 0) + 1;
  }
  const isLast = upTo >= (contacts?.last ?? 0);
  return { enrolled, passed_over: known.size, refused, next_after: isLast ? null : upTo };
}
