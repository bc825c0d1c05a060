/** Text search for contacts: by parts of the name, the e-mail address, or the phone number in any notation. */
import type { LocationContext } from "../../../events/caller.ts";
import { readPhone } from "../../../kit/phone.ts";
import { fold, foldEmail } from "../../../kit/text.ts";
import type { Value } from "../../../storage/value.ts";
import { joinSql, sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { contains } from "../../../storage/reading/text-matching.ts";
import type { AnyContactText, ContactText, TextCondition } from "../../contact-texts.ts";
import type { Conditions } from "./contact.filters.sql.ts";
import { isAnywhere } from "../../text-index/words.ts";
import { costs } from "./contact.list-plan.ts";
import type { ReadCost } from "./contact.list-plan.ts";
import { matchesSubstring, substringColumn, toContactText } from "./substring.ts";
import type { Bind, LongTexts, TextColumn } from "./substring.ts";

export interface SearchConditions extends Conditions {
  readonly cost: ReadCost;
  /** Each matching contact contains one text of each group. */
  readonly groups: readonly AnyContactText[];
  /** Whether this is one of the few common statements: of one or two words. */
  readonly repeats: boolean;
}

/** The minimum number of digits for a phone number search. */
const leastDigits = 3;
/** The characters of phone numbers. */
const numberForm = /^[\d\s()+./-]+$/;
/** The most words that are searched for separately: of a longer text, the last one is all the rest. */
const mostWords = 8;

/**
 * A phone number is searched for as a whole, including spaces. Of other texts, every word must match, in any order: "lovelace ada" finds Ada
 * Lovelace. Short words match the beginning of a word. A number in national format also matches the same number with the country code of `location`.
 */
export function searchConditions(search: string, location: LocationContext, longTexts: LongTexts): SearchConditions {
  const params: Value[] = [];
  const bind: Bind = (value) => {
    params.push(value);
    return sql`?`;
  };
  const parts = isNumber(search) ? [search.trim()] : toWords(search);
  const groups = parts.map((part): AnyContactText & { condition: TextCondition } => {
    const bound = params.length;
    const either = alternativesOf(part, location, bind, longTexts);
    const conditions = either.map(({ condition }) => condition);
    return {
      texts: either.map(({ found }) => found),
      condition: { text: sql`(${joinSql(conditions, " or ")})`, params: params.slice(bound) },
    };
  });
  const count = groups.flatMap(({ texts }) => texts).length;
  return {
    texts: groups.map(({ condition }) => condition.text),
    params,
    groups,
    repeats: parts.length <= 2,
    cost: { each: count * costs.value + (parts.some(isNumber) ? costs.contact : 0), parts: count },
  };
}

/** The words of a search, at most `mostWords`. */
export function toWords(search: string): string[] {
  const words = search.trim().split(/\s+/);
  return words.length <= mostWords ? words : [...words.slice(0, mostWords - 1), words.slice(mostWords - 1).join(" ")];
}

interface Alternative {
  readonly condition: SqlText;
  /** What a matching contact contains. */
  readonly found: ContactText;
}

const inPhone = (text: string): ContactText => ({ column: "phone_key", text });

/** The conditions of which one must hold for `part`. */
function alternativesOf(part: string, location: LocationContext, bind: Bind, longTexts: LongTexts): Alternative[] {
  const name = substringColumn("name_key", fold, location, longTexts);
  const email = substringColumn("email_key", foldEmail, location, longTexts);
  const inColumn = (op: "contains" | "starts_with", column: TextColumn): Alternative => ({
    condition: matchesSubstring(op, column, part, bind),
    found: toContactText(op, column, part),
  });
  if (!isAnywhere(fold(part))) {
    const laterWord = { ...name, fold: (text: string) => ` ${fold(text)}` };
    return [inColumn("starts_with", name), inColumn("contains", laterWord), inColumn("starts_with", email)];
  }
  const alternatives = [inColumn("contains", name), inColumn("contains", email)];
  if (!isNumber(part)) return alternatives;
  // Leading zeros are dialling prefixes and not stored: 030 and 0049 30 both mean +49 30.
  const digits = part.replaceAll(/\D/g, "").replace(/^0+/, "");
  if (digits.length >= leastDigits)
    alternatives.push({ condition: contains(sql`contacts.phone_key`, bind(digits)), found: inPhone(digits) });
  const { key } = readPhone(part, location.country);
  if (key !== null) alternatives.push({ condition: sql`contacts.phone_key = ${bind(key)}`, found: inPhone(key) });
  return alternatives;
}

/** Whether the search is for a phone number. */
export function isNumber(text: string): boolean {
  return numberForm.test(text) && text.replaceAll(/\D/g, "").length >= leastDigits;
}
