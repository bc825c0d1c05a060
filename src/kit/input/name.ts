/** The rule for user-given names: one line of text that cannot reorder the text around it. */
import { limits } from "../../vocabulary/limits.ts";
import { nullableText, text } from "./fields.ts";

/** Control characters, line and paragraph separators, and bidi overrides and isolates (UAX #9, 2.1 to 2.5). */
const disruptive = /[\p{Cc}\u2028-\u202E\u2066-\u2069]+/u;
const allDisruptive = new RegExp(disruptive, "gu");

/** A name for contexts without bidi isolation, such as a window title; also cleans names stored before this rule. */
export function plainName(given: string): string {
  return given.replaceAll(allDisruptive, " ").trim();
}

const refusal = { error: "must not contain control characters or marks that change the direction of text." };

/** A required name. */
export function name(max: number = limits.name) {
  return text(max).refine((value) => !disruptive.test(value), refusal);
}

/** A name or null, which may be left out; "" becomes null. */
export function nullableName(max: number = limits.name) {
  return nullableText(max).refine((value) => typeof value !== "string" || !disruptive.test(value), refusal);
}
