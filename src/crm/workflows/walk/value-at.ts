/** Looks a value up by the names that lead to it; only what an object has of its own counts. */

/** Undefined for what there is not. */
export function valueAt(root: object, path: readonly string[]): unknown {
  let value: unknown = root;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
