/** Questions about parsed JSON. Imports nothing: `crm mcp` answers its first message with it. */

/** Whether a value is a JSON object, not null and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether JSON is nested more than `most` levels deep. */
export function isNestedDeeper(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((member) => isNestedDeeper(member, most - 1));
}
