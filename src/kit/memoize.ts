/** A memo of a pure function over texts, bounded: so many are remembered, and one more begins it anew. */

/** Characters of a text that is remembered: whoever may send one may send megabytes, and none of them is worth its room. */
const longest = 4096;

export function memoize<Result>(most: number, work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    if (text.length > longest) return work(text);
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as Result;
    if (known.size >= most) known.clear();
    const result = work(text);
    known.set(text, result);
    return result;
  };
}
