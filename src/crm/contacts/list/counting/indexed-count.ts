/** Counts the contacts that contain a text by its index, which is read in the order of ids, where a scan of the list would take longer. */
import type { LocationContext, Reader } from "../../../../events/caller.ts";
import type { RunPiece } from "../../../../kit/waiting/fair-lock.ts";
import { listed } from "../../../../storage/json.ts";
import { countedSlice, countingCosts } from "../../../../storage/reading/trigram-count.ts";
import type { CountedSliceRow } from "../../../../storage/reading/trigram-count.ts";
import { sql } from "../../../../storage/sql-text.ts";
import type { Value } from "../../../../storage/value.ts";
import { findIndexed } from "../../../contact-candidates.ts";
import { areComplete } from "../../../text-index/text-index.ts";
import type { PlannedConditions } from "../contact.list-plan.ts";
import { sizeOfList } from "../contact.list-slices.ts";

/** The share of the candidates by one trigram that match, below which more trigrams are looked up. */
const mostlyMatches = 0.7;

interface SliceRow extends CountedSliceRow {
  readonly is_complete: boolean | number;
}

interface IndexedCount {
  readonly most: number;
  readonly turn: RunPiece;
  /** Counts the matches among the contacts with these ids, a JSON list. */
  readonly countAmong: (ids: string) => Promise<number>;
  /** Microseconds of an entry that is scanned, if not the usual ones; affects speed only. */
  readonly scanned?: number;
}

/** Counts up to at least `most`; undefined if the index would not help, or is being rebuilt. */
export async function countByIndex(
  reader: Reader<LocationContext>,
  conditions: PlannedConditions,
  { most, turn, countAmong, scanned }: IndexedCount,
): Promise<number | undefined> {
  if (conditions.searched.length === 0) return undefined;
  const texts = await findIndexed(reader, conditions.searched);
  if (texts === undefined) return undefined;
  const ofLines = conditions.followsEvents && texts.isWhole;
  if (!(await isCheaper(reader, { expected: texts.lookUp.expected, most, ofLines, scanned }))) return undefined;
  const changed = JSON.stringify(texts.changed);
  const isAnyChanged = texts.changed.length > 0;
  const text = countedSlice({
    index: texts.of.index,
    lookUp: texts.lookUp,
    ofLines,
    table: "contacts",
    conditions: [
      sql`contacts.location_id = ? and contacts.deleted_at is null`,
      ...conditions.texts,
      // They are counted apart.
      ...(isAnyChanged ? [sql`contacts.id not in ${listed}`] : []),
    ],
    most,
    column: `exists (${areComplete([texts.of.name])}) as is_complete`,
  });
  const given = [reader.location.id, ...conditions.params, ...(isAnyChanged ? [changed] : [])];
  let count = isAnyChanged ? await countAmong(changed) : 0;
  let by = texts.lookUp.broad;
  for (let after: number | null = 0; after !== null && count < most;) {
    const params: Value[] = [by, after, ...given];
    const [slice]: SliceRow[] = await turn(() => reader.rowsOnce<SliceRow>(text, params));
    if (!slice!.is_complete) return undefined;
    const matches = Number(slice!.total);
    // To find fewer candidates takes less time than to judge them.
    if (matches < texts.of.index.sliceSize * mostlyMatches) by = texts.lookUp.value;
    count += matches;
    after = slice!.reached;
  }
  return count;
}

interface CostRow {
  /** The highest id, which is about the number of contacts of all locations. */
  readonly last: number | null;
  readonly found_each: number;
  readonly judged_each: number;
  readonly line_each: number;
  readonly any_line_each: number;
  readonly scanned_each: number;
  readonly finds_all: number;
}

const costText = sql`select max(id) as last, ${countingCosts} from contacts`;

interface Costs {
  readonly expected: number;
  readonly most: number;
  readonly ofLines: boolean;
  readonly scanned: number | undefined;
}

/** The index spans all locations: of a text, it finds the more contacts of others, the smaller this one is. */
async function isCheaper(
  reader: Reader<LocationContext>,
  { expected, most, ofLines, scanned }: Costs,
): Promise<boolean> {
  const { contacts } = await sizeOfList(reader);
  const [cost] = await reader.rows<CostRow>(costText);
  const all = Math.max(cost!.last ?? 0, contacts, 1);
  const entries = Math.min(contacts, (most * all) / Math.max(1, expected));
  const looked = Math.min(expected, (most * all) / Math.max(1, contacts));
  const found = cost!.finds_all === 1 ? expected : looked;
  const judgedEach = Number(ofLines ? cost!.line_each : cost!.judged_each);
  const byIndex = looked * judgedEach + found * Number(cost!.found_each);
  const byAll = ofLines ? all * Number(cost!.any_line_each) : Number.POSITIVE_INFINITY;
  return Math.min(byIndex, byAll) < entries * (scanned ?? Number(cost!.scanned_each));
}
