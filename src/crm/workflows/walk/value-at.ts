/** Looks up a value by a path of member names; inherited members do not count. */

/** Undefined if there is no such member. */
export function valueAt(root: object, path: readonly string[]): unknown {
  let value: unknown = root;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
