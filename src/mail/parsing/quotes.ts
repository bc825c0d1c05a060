/** Cuts the quoted history and the signature from the text of a reply, as mail programs write them in five languages. */

/** "On … wrote:" of Gmail, Apple Mail and Thunderbird, which may be wrapped. */
const attributions = [
  /^On\b.{4,300}\bwrote:$/i,
  /^Am\b.{4,300}\bschrieb\b.{0,200}:$/i,
  /^Le\b.{4,300}\ba écrit\s?:$/i,
  /^El\b.{4,300}\bescribió:$/i,
];
/** "-----Original Message-----" of Outlook. */
const originals = /^-{3,}\s*(Original Message|Ursprüngliche Nachricht|Message d['’]origine|Mensaje original)\s*-{3,}$/i;
/** The header block of Outlook: From, then Sent and To within a few lines. */
const outlookFrom = /^\*?(From|Von|De)\s?:\*?\s?\S/i;
const outlookSent = /^\*?(Sent|Date|Gesendet|Datum|Envoyé|Enviado|Enviado el|Fecha)\s?:/i;
const outlookTo = /^\*?(To|An|À|A|Para)\s?:/i;
/** Outlook writes the same block above a forwarded message, which is the content. */
const forwarded = /^\s*(fwd?|wg|tr|rv)\s?:/i;
const mobile =
  /^(Sent from my \S.{0,60}|Get Outlook for (iOS|Android).{0,80}|Von meinem .{1,60} gesendet\.?|Outlook für (iOS|Android) beziehen.{0,80}|Envoyé (de|depuis) mon .{1,60}|Obtenir Outlook pour .{0,80}|Enviado desde mi .{1,60}|Obtener Outlook para .{0,80})$/i;

const longestLine = 500;
/** Lines that an attribution may be wrapped to, and lines of a header block. */
const wrapped = 3;
const headerLines = 5;
/** A longer text behind "-- " is no signature. */
const mostSignature = 20;

export interface ShortenedText {
  readonly text: string;
  readonly isShortened: boolean;
}

/** A text of which nothing would be left stays whole, and so does one that answers below or between the quotes. */
export function cutQuotes(text: string, subject: string | null): ShortenedText {
  const lines = text.split("\n");
  const shown = lines.map((line) => line.slice(0, longestLine).trim());
  const start = findQuote(shown, subject);
  const own = start !== undefined && isAnsweredBelow(shown, start) ? lines.length : (start ?? lines.length);
  const kept = dropSignature(lines.slice(0, dropTrailingQuotes(shown, own)));
  const rest = kept.join("\n").trimEnd();
  if (rest.trim() === "") return { text: text.trim(), isShortened: false };
  return { text: rest, isShortened: rest !== text.trimEnd() };
}

function findQuote(lines: readonly string[], subject: string | null): number | undefined {
  const isForwarded = subject !== null && forwarded.test(subject);
  const found = lines.findIndex(
    (line, index) =>
      isAttribution(lines, index) || (!isForwarded && (originals.test(line) || isHeaderBlock(lines, index))),
  );
  if (found === -1) return undefined;
  // Outlook draws a line of underscores above its block.
  return /^_{5,}$/.test(lines[found - 1] ?? "") ? found - 1 : found;
}

function isAttribution(lines: readonly string[], index: number): boolean {
  const first = lines[index]!.replace(/^> ?/, "");
  if (!/^(On|Am|Le|El)\b/i.test(first)) return false;
  return Array.from({ length: wrapped }, (_value, more) =>
    [first, ...lines.slice(index + 1, index + 1 + more)].join(" "),
  ).some((joined) => attributions.some((pattern) => pattern.test(joined)));
}

function isHeaderBlock(lines: readonly string[], index: number): boolean {
  if (!outlookFrom.test(lines[index]!)) return false;
  const following = lines.slice(index + 1, index + headerLines);
  return following.some((line) => outlookSent.test(line)) && following.some((line) => outlookTo.test(line));
}

/** Whether there is text of the sender behind lines that are marked as quoted. */
function isAnsweredBelow(lines: readonly string[], start: number): boolean {
  const quoted = lines.findIndex((line, index) => index > start && line.startsWith(">"));
  if (quoted === -1 || quoted > start + wrapped + 1) return false;
  const last = lines.findLastIndex((line) => line.startsWith(">"));
  const below = lines.slice(quoted, last + 1).some((line) => line !== "" && !line.startsWith(">"));
  const tail = dropSignature(lines.slice(last + 1));
  return below || tail.some((line) => line !== "");
}

function dropTrailingQuotes(lines: readonly string[], end: number): number {
  let at = end;
  while (at > 0 && (lines[at - 1] === "" || lines[at - 1]!.startsWith(">"))) at -= 1;
  return lines.slice(at, end).some((line) => line !== "") ? at : end;
}

function dropSignature(lines: readonly string[]): readonly string[] {
  const dashes = lines.findLastIndex((line) => /^-- ?\r?$/.test(line));
  const isSignature = dashes !== -1 && lines.length - dashes <= mostSignature;
  const kept = isSignature ? lines.slice(0, dashes) : lines;
  const last = kept.findLastIndex((line) => line.trim() !== "");
  return last !== -1 && mobile.test(kept[last]!.trim()) ? kept.slice(0, last) : kept;
}
