/** Contacts as a person looks for one: by a part of the name, of the e-mail address, or of the phone number, however it is written. */
import { readPhone } from "../../../kit/phone.ts";
import { emailKey, fold } from "../../../kit/text.ts";
import { joinSql, sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { contains } from "../../../storage/text-matching.ts";

/** Conditions that must all hold, and their parameters in the order of their question marks. */
export interface SearchConditions {
  readonly texts: readonly SqlText[];
  readonly params: readonly string[];
}

/** Digits from which on a part of a number says something. */
const leastDigits = 3;
/** What numbers are written with. */
const numberForm = /^[\d\s()+./-]+$/;
/** The words that are looked for one by one; what follows is looked for as it stands. */
const mostWords = 8;

/**
 * A number is looked for as a whole, blanks and all. Of other words each has to be found, in whatever order: "lovelace ada"
 * finds Ada Lovelace. A number that is dialled in `country` finds the same one with its country code.
 */
export function searchConditions(search: string, country: string): SearchConditions {
  const parts = isNumber(search) ? [search.trim()] : toWords(search);
  const found = parts.map((part) => placesOf(part, country));
  return {
    texts: found.map(
      (places) =>
        sql`(${joinSql(
          places.map(({ text }) => text),
          " or ",
        )})`,
    ),
    params: found.flat().map(({ param }) => param),
  };
}

function toWords(search: string): string[] {
  const words = search.trim().split(/\s+/);
  return words.length <= mostWords ? words : [...words.slice(0, mostWords - 1), words.slice(mostWords - 1).join(" ")];
}

function placesOf(part: string, country: string): { text: SqlText; param: string }[] {
  const within = (column: string, param: string) => ({ text: contains(sql`contacts.${column}`, sql`?`), param });
  const places = [within("name_key", fold(part)), within("email_key", emailKey(part))];
  if (!isNumber(part)) return places;
  // The zeros of a prefix are dialled and not kept: 030 and 0049 30 are both +49 30.
  const digits = part.replaceAll(/\D/g, "").replace(/^0+/, "");
  const { key } = readPhone(part, country);
  return [
    ...places,
    ...(digits.length < leastDigits ? [] : [within("phone_key", digits)]),
    ...(key === null ? [] : [{ text: sql`contacts.phone_key = ?`, param: key }]),
  ];
}

function isNumber(text: string): boolean {
  return numberForm.test(text) && text.replaceAll(/\D/g, "").length >= leastDigits;
}
