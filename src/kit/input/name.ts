/** The one rule for a name that a person gives to something: one line of text that cannot reorder the text around it. */
import { limits } from "../../vocabulary/limits.ts";
import { nullableText, text } from "./fields.ts";

/** Control characters, line and paragraph separators, and the marks that override or isolate the direction of text (UAX #9, 2.1 to 2.5). */
const disruptive = /[\p{Cc}\u2028-\u202E\u2066-\u2069]+/u;
const allDisruptive = new RegExp(disruptive, "gu");

/** A name for where nothing can isolate it, such as the title of a window: one that is older than the rule loses what breaks it. */
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
