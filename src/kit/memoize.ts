/** Memoizes a pure function of text. The cache is bounded: when it is full, it is cleared. */

/** Maximum length of a cached text: clients may send megabytes, which are not worth caching. */
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
