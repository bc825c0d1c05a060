/** Where an operation is found in `crm-client`: `listContacts` is `crm.contacts.list`, `addContactTag` is `crm.contacts.addTag`. */

export interface Named {
  readonly operationId: string;
  readonly path: string;
  readonly tags: readonly string[];
}

export interface MethodName {
  /** `workflowRuns` */
  readonly group: string;
  /** `list` */
  readonly method: string;
}

/** The name of each operation, by its operationId. Refuses two operations of one name. */
export function nameMethods(operations: readonly Named[]): Map<string, MethodName> {
  const nouns = findNouns(operations);
  const names = new Map(operations.map((operation) => [operation.operationId, nameMethod(operation, nouns)]));
  const seen = new Map<string, string>();
  for (const [operationId, { group, method }] of names) {
    const name = `${group}.${method}`;
    const other = seen.get(name);
    if (other !== undefined) throw new Error(`${operationId} and ${other} would both be crm.${name}: rename one.`);
    seen.set(name, operationId);
  }
  return names;
}

/**
 * The words of the operationId after the verb that name a noun, the first and longest, are the group; what is left is the
 * method. Without a noun the group is the first segment of the path, or the tag outside of the API.
 */
function nameMethod({ operationId, path, tags }: Named, nouns: ReadonlyMap<string, string>): MethodName {
  const words = wordsOf(operationId);
  const root = path.startsWith(apiPrefix) ? groupOfSegment(rootOf(path)) : toCamel(wordsOf(tags[0] ?? "api"));
  for (let from = 1; from < words.length; from += 1) {
    for (let to = words.length; to > from; to -= 1) {
      const group = nouns.get(words.slice(from, to).map(singular).join(" "));
      if (group !== undefined) return { group, method: toCamel([...words.slice(0, from), ...words.slice(to)]) };
    }
  }
  // "removeRun" at /workflow-runs: the last word of the noun is enough there.
  const last = singular(wordsOf(root).at(-1) ?? "");
  const rest = words.filter((word, place) => place === 0 || singular(word) !== last);
  return { group: root, method: toCamel(rest) };
}

const apiPrefix = "/api/v1/";

/** Singular words → group: what is listed, the first segments of paths, and the tags. */
function findNouns(operations: readonly Named[]): Map<string, string> {
  const nouns = new Map<string, string>();
  const add = (words: readonly string[]) => {
    if (words.length > 0) nouns.set(words.map(singular).join(" "), toCamel(words));
  };
  for (const { operationId, path, tags } of operations) {
    if (path.startsWith(apiPrefix)) {
      add(wordsOf(rootOf(path)));
      for (const tag of tags) add(wordsOf(tag));
    }
    const [verb, ...listed] = wordsOf(operationId);
    if (verb === "list") add(listed);
  }
  return nouns;
}

function rootOf(path: string): string {
  return path.slice(apiPrefix.length).split("/")[0] ?? "";
}

function groupOfSegment(segment: string): string {
  return toCamel(wordsOf(segment));
}

/** `workflow-runs`, `listWorkflowRuns` and `Custom fields` in lower-case words. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
}

/** `opportunities` → `opportunity` */
function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
}

function toCamel(words: readonly string[]): string {
  return words.map((word, place) => (place === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
}
