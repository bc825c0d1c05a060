/** Bounds what the protocol layer reads of a message: it validates and copies each value, while other requests wait. */
import { isObject } from "../kit/json/json-object.ts";

/** Maximum number of values in a message, those inside of a tool's arguments left out: operations judge these. */
export const mostValues = 1_000;

export function isTooLarge(message: unknown): boolean {
  const { params, ...head } = isObject(message) ? message : { params: message };
  const { arguments: given, ...others } = isObject(params) ? params : { params };
  const waiting: unknown[] = [head, others, isObject(given) ? Object.keys(given) : given];
  let count = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    const members = Object.values(value);
    count += members.length;
    if (count > mostValues) return true;
    for (const member of members) waiting.push(member);
  }
  return false;
}
