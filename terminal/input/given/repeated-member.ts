/** Finds a duplicate member of a JSON object: JSON.parse silently keeps only the last. */

/** Tokens: strings and the brackets of objects and lists; the rest does not matter here. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

export interface RepeatedMember {
  readonly name: string;
  /** Line and column of the duplicate, from 1. */
  readonly line: number;
}

/** The first duplicate in `text`, which is well-formed JSON. */
export function findRepeatedMember(text: string): RepeatedMember | undefined {
  // The members of each open object; null for a list.
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const names = open.at(-1);
    if (token === "{" || token === "[") open.push(token === "{" ? new Set() : null);
    else if (token === "}" || token === "]") open.pop();
    else if (isName && names && token.startsWith('"')) {
      const name = JSON.parse(token) as string;
      if (names.has(name)) return { name, line: text.slice(0, index).split("\n").length };
      names.add(name);
    }
    isName = token === "{" || token === ",";
  }
  return undefined;
}
