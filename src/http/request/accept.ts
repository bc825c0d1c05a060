/** Whether a client wants a page for people or an answer for programs (RFC 9110, 12.5.1). */

/** True for who names text/html, and JSON no more than that. Whoever takes anything is a program. */
export function wantsPage(accept: string | undefined): boolean {
  const weights = new Map((accept ?? "").split(",").map(readRange));
  const page = weights.get("text/html") ?? 0;
  const json = weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*") ?? 0;
  return page > 0 && page >= json;
}

/** `text/html;q=0.8` → ["text/html", 0.8]; a weight that is none counts as 1. */
function readRange(range: string): [string, number] {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(parameter));
  return [type, weight === undefined ? 1 : Number(weight.slice("q=".length))];
}
