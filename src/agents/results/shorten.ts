/** Shortens a result for a reader with a budget: long texts and long lists inside of records are cut, and marked. */
import { truncate } from "../../kit/text.ts";
import { mostCharacters, mostNested, textLengths } from "../tool-limits.ts";

export interface Shortened {
  readonly value: Readonly<Record<string, unknown>>;
  /** The same as JSON. */
  readonly json: string;
}

/** `value` is JSON. */
export function shorten(value: Readonly<Record<string, unknown>>): Shortened {
  let json = "";
  let shortened = value;
  for (const length of textLengths) {
    shortened = isShort(value, length, 0) ? value : shortenMembers(value, length, 0);
    json = JSON.stringify(shortened);
    if (json.length <= mostCharacters) break;
  }
  return { value: shortened, json };
}

/** Whether nothing is cut: most answers are short, and are not copied. Loops without copies of their own: it runs for each value of an answer. */
function isShort(value: unknown, length: number, depth: number): boolean {
  if (typeof value === "string") return value.length <= length;
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) {
    if (depth > 0 && value.length > mostNested) return false;
    for (const item of value as unknown[]) if (!isShort(item, length, depth + 1)) return false;
    return true;
  }
  const members = value as Readonly<Record<string, unknown>>;
  const inner = depth === 0 && "next_cursor" in members ? 0 : Math.max(depth, 1);
  for (const name in members) if (!isShort(members[name], length, inner)) return false;
  return true;
}

/** `depth`: the lists that enclose it; pages are cut by their limit. */
function shortenBy(value: unknown, length: number, depth: number): unknown {
  if (typeof value === "string") return shortenText(value, length);
  if (Array.isArray(value)) {
    const kept = depth === 0 ? value : value.slice(0, mostNested);
    return kept.map((item) => shortenBy(item, length, depth + 1));
  }
  if (typeof value !== "object" || value === null) return value;
  return shortenMembers(value, length, depth);
}

function shortenMembers(value: object, length: number, depth: number): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  const cut: Record<string, string> = {};
  // A page is the outermost list; those of its records are nested, and so are those of a single record.
  const isPage = depth === 0 && "next_cursor" in value;
  for (const [name, member] of Object.entries(value)) {
    members[name] = shortenBy(member, length, isPage ? 0 : Math.max(depth, 1));
    if (Array.isArray(member) && !isPage && member.length > mostNested)
      cut[name] = `the first ${mostNested} of ${member.length}`;
  }
  return Object.keys(cut).length === 0 ? members : { ...members, cut };
}

function shortenText(text: string, length: number): string {
  return text.length <= length ? text : `${truncate(text, length)} [cut: ${text.length} characters]`;
}
