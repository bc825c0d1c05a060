/** Reads groups of contacts that may be one person, from slices of the contacts by descending ids: each contact costs a few index seeks. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { queueKeyOf } from "../../../events/read-queue.ts";
import { listed, listedAsGiven } from "../../../storage/json.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../../storage/reading/owned-range.ts";
import { createSliceQueue } from "../../../storage/keyset/slices.ts";
import { firstOfEach } from "../../../storage/reading/lateral.ts";
import { sql } from "../../../storage/sql-text.ts";
import { duplicateReasons, groupsOf, mostInGroup, mostOfName } from "./duplicate.groups.ts";
import type { DuplicateGroup, DuplicateReason, KeyedContact } from "./duplicate.groups.ts";

/** Contacts per slice: some ten milliseconds at worst. */
const sliceSize = 250;
/** The most contacts that one request looks at. */
const mostLookedAt = 20_000;

/** After the groups of `id` up to the reason with this rank. */
export type DuplicatePosition = [id: number, rank: number];

interface PlacedGroup extends DuplicateGroup {
  readonly place: DuplicatePosition;
}

export interface FoundGroups {
  readonly groups: readonly PlacedGroup[];
  /** Where the search stopped; undefined at the end of the contacts. */
  readonly stoppedAt: DuplicatePosition | undefined;
}

const nameKey = "case when first_name_key <> '' or last_name_key <> '' then name_key end";
const keys = ["email_key", "phone_key", "name_key", "company_key", "zip_key"];
const ofLocation = "other.location_id = slice.location_id and other.deleted_at is null";
const isNewestOf = (column: string): string =>
  `(exists (select 1 from contacts as other where ${ofLocation} and other.${column} = slice.${column} and other.id < slice.id)
    and not exists (select 1 from contacts as other where ${ofLocation} and other.${column} = slice.${column} and other.id > slice.id))`;
const hasAlike = `(slice.real_name is not null
  and not exists (select 1 from contacts as other where ${ofLocation} and other.name_key = slice.name_key limit 1 offset ${mostOfName})
  and exists (select 1 from contacts as other where ${ofLocation} and other.name_key = slice.name_key and other.id < slice.id
    and (other.company_key = slice.company_key or other.zip_key = slice.zip_key
      or (length(slice.phone_key) > 3 and length(other.phone_key) > 3
        and substr(other.phone_key, length(other.phone_key) - 3) = substr(slice.phone_key, length(slice.phone_key) - 3)))))`;

/** The newest contacts of possible groups, then one row that says where the slice ends. */
const places = { owner: "location_id", place: "id" };
const sliceText = sql`with slice as materialized (select id, location_id, ${keys.join(", ")}, ${nameKey} as real_name
    from ${ownedBy("contacts")}
    where ${inOwnedRange(places, { "<": "?" })} and deleted_at is null order by ${inOwnedOrder(places, "desc")} limit ${sliceSize})
  select id, 1 as is_candidate from slice where ${isNewestOf("email_key")} or ${isNewestOf("phone_key")} or ${hasAlike}
  union all select * from (select id, 0 from slice order by id limit 1) as last`;

/** The contacts that share a key with each given one, newest first. */
function sharing(key: string, limit: number) {
  return sql`select found.id, found.email_key, found.phone_key, ${nameKey.replaceAll(/\b(first_name_key|last_name_key|name_key)\b/g, "found.$1")} as name_key,
    found.company_key, found.zip_key from (${firstOfEach({
      given: listedAsGiven,
      table: "contacts",
      columns: ["id", ...keys, "first_name_key", "last_name_key"],
      where: `contacts.location_id = ? and contacts.deleted_at is null
        and contacts.${key} = (select one.${key} from contacts as one where one.id = given.value)`,
      order: "contacts.id desc",
      limit,
    })}) as found`;
}

const sharingTexts = {
  email: sharing("email_key", mostInGroup),
  phone: sharing("phone_key", mostInGroup),
  name: sharing("name_key", mostOfName + 1),
} as const;

const inFairQueue = createSliceQueue();

/** The first groups after `after`, newest contact first, at most `most`, or as many as `mostLookedAt` contacts have. */
export function findDuplicates(
  reader: Reader<LocationContext>,
  after: DuplicatePosition | undefined,
  most: number,
): Promise<FoundGroups> {
  const [id, rank] = after ?? [Number.MAX_SAFE_INTEGER - 1, duplicateReasons.length];
  return inFairQueue(queueKeyOf(reader), async (turn) => {
    const groups: PlacedGroup[] = [];
    let before = id + 1;
    for (let lookedAt = 0; lookedAt < mostLookedAt; lookedAt += sliceSize) {
      const slice = await turn(() => readSlice(reader, before));
      groups.push(...slice.groups.filter(({ place }) => place[0] < id || place[1] > rank));
      if (groups.length >= most) return { groups: groups.slice(0, most), stoppedAt: groups[most - 1]!.place };
      if (slice.end === undefined) return { groups, stoppedAt: undefined };
      before = slice.end;
    }
    return { groups, stoppedAt: [before, duplicateReasons.length] };
  });
}

interface Slice {
  readonly groups: readonly PlacedGroup[];
  /** The id of its last contact; undefined if it had none. */
  readonly end: number | undefined;
}

async function readSlice(reader: Reader<LocationContext>, before: number): Promise<Slice> {
  const { location } = reader;
  const rows = await reader.rows<{ id: number; is_candidate: number }>(sliceText, [location.id, before]);
  const end = rows.find(({ is_candidate: isCandidate }) => isCandidate === 0)?.id;
  const candidates = rows.flatMap(({ id, is_candidate: isCandidate }) => (isCandidate === 1 ? id : []));
  if (candidates.length === 0) return { groups: [], end };
  const given = JSON.stringify(candidates);
  const found = {} as Record<DuplicateReason, Map<string | null, KeyedContact[]>>;
  const contacts = new Map<number, KeyedContact>();
  for (const reason of duplicateReasons) {
    // Two candidates may share a key, and then find the same contacts.
    const shared = new Map<number, KeyedContact>();
    for (const one of await reader.rows<KeyedContact>(sharingTexts[reason], [given, location.id]))
      shared.set(one.id, one);
    for (const one of shared.values()) contacts.set(one.id, one);
    const newest = [...shared.values()].toSorted((one, other) => other.id - one.id);
    found[reason] = Map.groupBy(newest, (one) => one[`${reason}_key`]);
  }
  const groups = candidates
    .toSorted((one, other) => other - one)
    .flatMap((id) => {
      const contact = contacts.get(id);
      // Each candidate has at least one of the keys, unless it was deleted or changed after the slice was read.
      if (contact === undefined) return [];
      const of = (reason: DuplicateReason) => {
        const key = contact[`${reason}_key`];
        return key === null ? [] : (found[reason].get(key) ?? []);
      };
      return groupsOf(contact, { email: of("email"), phone: of("phone"), name: of("name") });
    })
    .map((group): PlacedGroup => ({ ...group, place: [group.ids[0]!, duplicateReasons.indexOf(group.reason)] }));
  return { groups, end };
}

export const ofIds = sql`contacts.id in ${listed} and contacts.location_id = ? and contacts.deleted_at is null`;
