/** A member that an object of JSON has twice: parsing keeps the last one and loses the other without a word. */

/** Strings, whole, and the signs that objects and lists are made of; numbers and words between them say nothing here. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

export interface RepeatedMember {
  readonly name: string;
  /** Where it stands for the second time, from 1. */
  readonly line: number;
}

/** The first one in `text`, which is well-formed JSON. */
export function findRepeatedMember(text: string): RepeatedMember | undefined {
  // The names of each object that is open; null stands for a list.
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
