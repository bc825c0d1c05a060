/** Writes a batch of an import with its tags; in a dry run, only plans it. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { textKey } from "../../../kit/text-key.ts";
import type { EventName } from "../../../vocabulary/events.ts";
import { findTagsByKeys } from "../../tags/tag.queries.ts";
import { createMissingTags } from "../../tags/tag.service.ts";
import type { TagView } from "../../tags/tag.view.ts";
import type { ContactInput } from "../contact.schema.ts";
import type { ExactTimes } from "./exact-rows.ts";
import { ContactIndex } from "../write/contact.index.ts";
import type { ItemOutcome, Plan } from "../write/contact.plan.ts";
import { planBatch, writePlan } from "../write/contact.write.ts";
import type { BatchInput } from "../write/contact.write.ts";

/** A valid row. */
export interface ValidRow {
  readonly input: ContactInput;
  /** Tag names as written in the file. */
  readonly tags: readonly string[];
  /** For exact imports. */
  readonly times?: ExactTimes | undefined;
}

/** What a dry run would have written so far, so that repeated contacts and tags are counted as created only once. */
export interface DryRunState {
  readonly contacts: ContactIndex;
  readonly tags: Map<string, TagView>;
}

export function createDryRunState(): DryRunState {
  return { contacts: new ContactIndex(), tags: new Map() };
}

export interface WrittenBatch {
  /** One per row. */
  readonly outcomes: readonly ItemOutcome[];
  /** By event, the contacts that raise it. */
  readonly events: ReadonlyMap<EventName, number>;
  /** The created tags by key, in row order. */
  readonly made: ReadonlyMap<string, TagView>;
}

interface BatchOptions {
  /** Whether to create missing tags; otherwise rows with unknown tags are refused. */
  readonly createTags: boolean;
  /** If set, nothing is written; the caller adds the created tags to it after the change. */
  readonly dryRun: DryRunState | undefined;
  /** Whether each row creates a contact, without matching by e-mail address or phone. */
  readonly exact: boolean;
}

export async function writeBatch(
  change: Change<LocationContext>,
  rows: readonly ValidRow[],
  { createTags, dryRun, exact }: BatchOptions,
): Promise<WrittenBatch> {
  const named = new Map<string, string>();
  // A new tag gets the first spelling.
  for (const name of rows.flatMap(({ tags }) => tags)) if (!named.has(textKey(name))) named.set(textKey(name), name);
  const known = await findTags(change, named, dryRun);
  const missing = new Map([...named].filter(([key]) => !known.has(key)));
  const made = createTags && missing.size > 0 ? await makeTags(change, missing, dryRun) : new Map<string, TagView>();
  // The others were created by concurrent changes, which have committed.
  const others = createTags && made.size < missing.size ? await findTags(change, missing, dryRun) : [];
  const tags = new Map([...known, ...others, ...made]);

  const checked = rows.map(({ input, tags: names, times }): BatchInput | RefusedItem => {
    const unknown = names.filter((name) => !tags.has(textKey(name)));
    return unknown.length > 0
      ? refusal(unknown)
      : { ...input, times, tags: names.map((name) => tags.get(textKey(name))!) };
  });
  const inputs = checked.filter((row): row is BatchInput => !isRefusal(row));
  const mode = exact ? "create" : "import";
  const plan = await planBatch(change, dryRun?.contacts ?? new ContactIndex(), inputs, mode);
  const outcomes = (dryRun === undefined ? await writePlan(change, plan, "import") : plan.outcomes).values();
  return {
    outcomes: checked.map((row) => (isRefusal(row) ? row : outcomes.next().value!)),
    events: countContacts(plan.steps),
    made: new Map([...missing.keys()].flatMap((key) => (made.has(key) ? [[key, made.get(key)!]] : []))),
  };
}

/** By event, the contacts of the batch that raise it. */
function countContacts(steps: Plan["steps"]): Map<EventName, number> {
  const byEvent = Map.groupBy(steps, ({ event }) => event);
  return new Map([...byEvent].map(([event, ofEvent]) => [event, new Set(ofEvent.map(({ contact }) => contact)).size]));
}

type RefusedItem = Extract<ItemOutcome, { outcome: "refused" }>;

function refusal(names: readonly string[]): RefusedItem {
  return { outcome: "refused", errors: { tags: names.map((name) => `There is no tag "${name}".`) } };
}

function isRefusal(row: BatchInput | RefusedItem): row is RefusedItem {
  return "outcome" in row;
}

async function findTags(
  change: Change<LocationContext>,
  named: ReadonlyMap<string, string>,
  dryRun: DryRunState | undefined,
): Promise<Map<string, TagView>> {
  const found = named.size === 0 ? new Map<string, TagView>() : await findTagsByKeys(change, [...named.keys()]);
  for (const key of named.keys()) {
    const planned = dryRun?.tags.get(key);
    if (planned !== undefined) found.set(key, planned);
  }
  return found;
}

async function makeTags(
  change: Change<LocationContext>,
  missing: ReadonlyMap<string, string>,
  dryRun: DryRunState | undefined,
): Promise<Map<string, TagView>> {
  if (dryRun === undefined) return createMissingTags(change, missing);
  // Negative ids cannot collide with stored tags.
  const first = -1 - dryRun.tags.size;
  return new Map([...missing].map(([key, name], index) => [key, { id: first - index, name, color: null }]));
}
