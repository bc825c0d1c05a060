/** Content negotiation: the coding of a body (RFC 9110, 12.5.3). */

/** The best coding of `available`, best first, that the header accepts; undefined for none: the body is sent as it is. */
export function chooseCoding<Coding extends string>(
  header: string | undefined,
  available: readonly Coding[],
): Coding | undefined {
  if (header === undefined || header.trim() === "") return undefined;
  const weights = new Map(header.split(",").map(readCoding));
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  // Identity is acceptable unless it is refused: it is preferred only where it has a higher weight of its own.
  let best: Coding | undefined;
  let most = weights.get("identity") ?? 0;
  for (const coding of available) {
    const weight = weightOf(coding);
    if (weight > 0 && (best === undefined ? weight >= most : weight > most)) [best, most] = [coding, weight];
  }
  return best;
}

/** `gzip;q=0.5` → ["gzip", 0.5]; an invalid weight counts as 0. */
function readCoding(text: string): [string, number] {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (weight === undefined) return [aliases.get(name) ?? name, 1];
  return [
    aliases.get(name) ?? name,
    /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0,
  ];
}

const aliases = new Map([["x-gzip", "gzip"]]);
