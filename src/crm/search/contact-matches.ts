/** The contacts that a search finds, best first: those of the newest activity are ranked. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { readPhone } from "../../kit/phone.ts";
import { foldEmail, fold } from "../../kit/text.ts";
import type { RankedRow } from "../contacts/contact.row.ts";
import { findNewest } from "../contacts/list/contact.list.ts";
import type { Bounds } from "../contacts/list/contact.list-slices.ts";
import { isNumber } from "../contacts/list/contact.search.ts";
import { mostRanked } from "./search-limits.ts";
import { containsWord, rankOf, ranks, readSearch } from "./text-rank.ts";

type MatchedField = "name" | "email" | "phone";

export interface ContactMatch {
  readonly row: RankedRow;
  readonly rank: number;
  /** The field that matches best, and its text. */
  readonly matched: { readonly field: MatchedField; readonly text: string };
}

export async function findBestContacts(
  reader: Reader<LocationContext>,
  q: string,
  bounds: Bounds,
): Promise<ContactMatch[]> {
  const rows = await findNewest(reader, q, mostRanked, bounds);
  const judge = createJudge(q, reader.location);
  // Stable: contacts of one rank stay in the order of the list.
  return rows.map((row) => judge(row)).toSorted((one, other) => one.rank - other.rank);
}

function createJudge(q: string, { country }: LocationContext): (row: RankedRow) => ContactMatch {
  const [inName, inEmail] = [readSearch(q), readSearch(q, foldEmail)];
  const number = isNumber(q) ? readPhone(q, country).key : undefined;

  function rankPhone(phone: string): number | undefined {
    if (number === undefined) return undefined;
    return readPhone(phone, country).key === number ? ranks.equal : ranks.anywhere;
  }

  return (row) => {
    const { name, email, phone_display: phone } = row;
    const texts: readonly (readonly [MatchedField, string | null, (text: string) => number | undefined])[] = [
      ["name", name, (text) => rankOf(inName, fold(text))],
      ["email", email, (text) => rankOf(inEmail, foldEmail(text))],
      ["phone", phone, rankPhone],
    ];
    const matches = texts.flatMap(([field, text, rank]) => {
      const found = text === null ? undefined : rank(text);
      return found === undefined ? [] : [{ row, rank: found, matched: { field, text: text! } }];
    });
    // A number may match in a name or an address by its digits as well.
    const [best] = matches.toSorted((one, other) => one.rank - other.rank);
    return best ?? { row, rank: ranks.spread, matched: firstMatched(row, inName.words, inEmail.words) };
  };
}

/** The field of a contact that the first matching word is in. */
function firstMatched(
  { name, email, phone_display: phone }: RankedRow,
  names: readonly string[],
  emails: readonly string[],
): ContactMatch["matched"] {
  if (names.some((word) => containsWord(fold(name), word))) return { field: "name", text: name };
  if (email !== null && emails.some((word) => containsWord(foldEmail(email), word)))
    return { field: "email", text: email };
  return phone === null ? { field: "name", text: name } : { field: "phone", text: phone };
}
