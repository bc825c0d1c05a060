/** Content negotiation: a page for people or JSON for programs (RFC 9110, 12.5.1). */

/** True if text/html is named with a higher weight than JSON. A client that accepts anything is a program. */
export function wantsPage(accept: string | undefined): boolean {
  const weights = new Map((accept ?? "").split(",").map(readRange));
  const page = weights.get("text/html") ?? 0;
  const json = weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*") ?? 0;
  return page > 0 && page >= json;
}

/** `text/html;q=0.8` → ["text/html", 0.8]; an invalid weight counts as 1. */
function readRange(range: string): [string, number] {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(parameter));
  return [type, weight === undefined ? 1 : Number(weight.slice("q=".length))];
}
