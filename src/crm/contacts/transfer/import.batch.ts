/** Writes the rows of one batch of an import, with the tags that they name; or, in a rehearsal, judges what it would write. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { textKey } from "../../../kit/text-key.ts";
import { findTagsByKeys } from "../../tags/tag.queries.ts";
import { createMissingTags } from "../../tags/tag.service.ts";
import type { TagView } from "../../tags/tag.view.ts";
import type { ContactInput } from "../contact.schema.ts";
import type { ExactTimes } from "./exact-rows.ts";
import { ContactIndex } from "../write/contact.index.ts";
import type { ItemOutcome } from "../write/contact.plan.ts";
import { planBatch, writeContacts } from "../write/contact.write.ts";
import type { BatchInput } from "../write/contact.write.ts";

/** A row that is in order. */
export interface JudgedRow {
  readonly input: ContactInput;
  /** Names, as the file writes them. */
  readonly tags: readonly string[];
  /** Of a row that is imported exactly. */
  readonly times?: ExactTimes | undefined;
}

/** What a rehearsal would have written: a person who comes twice is created once, and so is a tag. */
export interface Rehearsal {
  readonly contacts: ContactIndex;
  readonly tags: Map<string, TagView>;
}

export function createRehearsal(): Rehearsal {
  return { contacts: new ContactIndex(), tags: new Map() };
}

export interface WrittenBatch {
  /** One for each row. */
  readonly outcomes: readonly ItemOutcome[];
  /** The tags that were made, by their folded names, in the order of the rows. */
  readonly made: ReadonlyMap<string, TagView>;
}

interface BatchOptions {
  /** Whether a tag that the workspace lacks is made; otherwise the rows that name it are refused. */
  readonly createTags: boolean;
  /** Then nothing is written; what would be made is the caller's to remember, once the change is over. */
  readonly rehearsal: Rehearsal | undefined;
  /** Whether each row makes a contact of its own, whoever has its e-mail address or phone. */
  readonly exact: boolean;
}

export async function writeBatch(
  change: Change<LocationContext>,
  rows: readonly JudgedRow[],
  { createTags, rehearsal, exact }: BatchOptions,
): Promise<WrittenBatch> {
  const named = new Map<string, string>();
  // The first spelling names a tag that is made.
  for (const name of rows.flatMap(({ tags }) => tags)) if (!named.has(textKey(name))) named.set(textKey(name), name);
  const known = await findTags(change, named, rehearsal);
  const missing = new Map([...named].filter(([key]) => !known.has(key)));
  const made = createTags && missing.size > 0 ? await makeTags(change, missing, rehearsal) : new Map<string, TagView>();
  // Whoever made the others meanwhile has committed.
  const others = createTags && made.size < missing.size ? await findTags(change, missing, rehearsal) : [];
  const tags = new Map([...known, ...others, ...made]);

  const judged = rows.map(({ input, tags: names, times }): BatchInput | RefusedItem => {
    const lacking = names.filter((name) => !tags.has(textKey(name)));
    return lacking.length > 0
      ? refusal(lacking)
      : { ...input, times, tags: names.map((name) => tags.get(textKey(name))!) };
  });
  const inputs = judged.filter((row): row is BatchInput => !isRefusal(row));
  const mode = exact ? "create" : "import";
  const written = await (rehearsal === undefined
    ? writeContacts(change, inputs, mode)
    : planBatch(change, rehearsal.contacts, inputs, mode).then(({ outcomes }) => outcomes));
  const outcomes = written.values();
  return {
    outcomes: judged.map((row) => (isRefusal(row) ? row : outcomes.next().value!)),
    made: new Map([...missing.keys()].flatMap((key) => (made.has(key) ? [[key, made.get(key)!]] : []))),
  };
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
  rehearsal: Rehearsal | undefined,
): Promise<Map<string, TagView>> {
  const found = named.size === 0 ? new Map<string, TagView>() : await findTagsByKeys(change, [...named.keys()]);
  for (const key of named.keys()) {
    const rehearsed = rehearsal?.tags.get(key);
    if (rehearsed !== undefined) found.set(key, rehearsed);
  }
  return found;
}

async function makeTags(
  change: Change<LocationContext>,
  missing: ReadonlyMap<string, string>,
  rehearsal: Rehearsal | undefined,
): Promise<Map<string, TagView>> {
  if (rehearsal === undefined) return createMissingTags(change, missing);
  // No tag that is stored has an id below 1.
  const first = -1 - rehearsal.tags.size;
  return new Map([...missing].map(([key, name], place) => [key, { id: first - place, name, color: null }]));
}
