/** Entity tags and conditional requests (RFC 9110, 8.8.3 and 13): If-Match and If-None-Match. */
import { createHash, hash } from "node:crypto";
import { Refusal } from "../../vocabulary/errors.ts";
import type { ContentCoding } from "../../kit/input/content-codings.ts";
import { TextPieces } from "../../kit/json/text-pieces.ts";
import { awaitPieceTurn } from "../../kit/waiting/fair-lock.ts";
import type { PieceTurn } from "../../kit/waiting/fair-lock.ts";
import type { TextResponse } from "../http-response.ts";
import type { IncomingRequest } from "./incoming-request.ts";

/** The hash of a representation in its tags: 132 bits, which two representations never share. */
export function hashRepresentation(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}

/** The same, of a text in pieces: one piece per turn of the event loop. */
async function hashPieces({ pieces }: TextPieces, pieceTurn: PieceTurn): Promise<string> {
  const hashing = createHash("sha256");
  for (const piece of pieces) {
    await pieceTurn();
    hashing.update(piece);
  }
  return hashing.digest("base64url").slice(0, 22);
}

/** The tag of a representation: a hash of its bytes, so that no change of it can be forgotten. Strong. */
export function toEntityTag(text: string): string {
  return `"${hashRepresentation(text)}"`;
}

/**
 * The tag of a record with `counters`, members that count what goes on around it: a hash of the rest, which If-Match compares, then one of
 * the whole. The tag stays strong: it changes with each count.
 */
export async function toRecordTag(
  text: string | TextPieces,
  counters: readonly string[] | undefined,
  pieceTurn = awaitPieceTurn,
): Promise<string> {
  if (counters === undefined)
    return text instanceof TextPieces ? `"${await hashPieces(text, pieceTurn)}"` : toEntityTag(text);
  const whole = String(text);
  const members = Object.entries(JSON.parse(whole) as object).filter(([name]) => !counters.includes(name));
  return `"${hashRepresentation(JSON.stringify(members))}.${hashRepresentation(whole)}"`;
}

const codings = ["zstd", "gzip", "br"] as const satisfies readonly ContentCoding[];

/** The tag of the same representation in a content coding, which has other bytes (RFC 9110, 8.8.3.3). */
export function tagOfCoding(tag: string, coding: ContentCoding): string {
  return `${tag.slice(0, -1)}-${coding}"`;
}

/** Whether the tag `opaque` stands for what `tag` does, in any coding: all of them say the same. */
function isTagOf(opaque: string, tag: string): boolean {
  return opaque === tag || codings.some((coding) => opaque === tagOfCoding(tag, coding));
}

/** Whether the tag `opaque` names the state that `tag` does, whatever its counters were. */
function isStateOf(opaque: string, tag: string): boolean {
  const [state, counted] = tag.split(".");
  return counted === undefined ? isTagOf(opaque, tag) : opaque.split(".")[0] === state;
}

interface EntityTag {
  readonly isWeak: boolean;
  /** With its quotes. */
  readonly opaque: string;
}

type Tags = "*" | readonly EntityTag[];

/** White space stands in one place for each form: text that does not match is refused in linear time. */
const tagForm = /[\t ]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*)?(?:,|$)/y;

/** Undefined if the header is no list of entity tags. Elements may be empty, but not all of them (RFC 9110, 5.6.1). */
export function readEntityTags(header: string): Tags | undefined {
  if (header.trim() === "*") return "*";
  const tags: EntityTag[] = [];
  tagForm.lastIndex = 0;
  while (tagForm.lastIndex < header.length) {
    const found = tagForm.exec(header);
    if (found === null) return undefined;
    const [, weak, opaque] = found;
    if (opaque !== undefined) tags.push({ isWeak: weak !== undefined, opaque });
  }
  return tags.length === 0 ? undefined : tags;
}

/** The preconditions of a request. */
export interface Preconditions {
  readonly match: Tags | undefined;
  readonly noneMatch: Tags | undefined;
}

/**
 * Undefined if there are none. Refuses an If-Match that cannot be read: ignoring it would overwrite what the client wants kept. An
 * If-None-Match that cannot be read is ignored.
 */
export function readPreconditions(request: Pick<IncomingRequest, "header">): Preconditions | undefined {
  const [match, noneMatch] = [request.header("if-match"), request.header("if-none-match")];
  if (match === undefined && noneMatch === undefined) return undefined;
  const expected = match === undefined ? undefined : readEntityTags(match);
  if (match !== undefined && expected === undefined) throw new Refusal("invalid_if_match");
  return { match: expected, noneMatch: noneMatch === undefined ? undefined : readEntityTags(noneMatch) };
}

/** Refuses a change if the record is not in a state that the client names. A record that does not exist has been refused before. */
export function requirePreconditions({ match, noneMatch }: Preconditions, tag: string): void {
  if (match !== undefined && !matchesStrongly(match, tag, isStateOf)) throw new Refusal("precondition_failed");
  if (noneMatch !== undefined && findWeakly(noneMatch, tag, isStateOf) !== undefined)
    throw new Refusal("precondition_failed");
}

/** The response to a GET whose body has the tag `tag`: 304 if the client has it. Refuses an If-Match that does not name it. */
export function conditionalResponse(
  answer: TextResponse<string | TextPieces>,
  preconditions: Preconditions,
  tag: string,
): TextResponse<string | TextPieces> {
  const known = findKnownTag(preconditions, tag);
  if (known === undefined) return answer;
  const { "content-type": _type, ...headers } = answer.headers;
  return { status: 304, body: null, headers: { ...headers, etag: known } };
}

/**
 * The tag by which the client has what `tag` names, for a 304: a cache finds what it stored by it. Undefined if it has not. Refuses an
 * If-Match that does not name it.
 */
export function findKnownTag({ match, noneMatch }: Preconditions, tag: string): string | undefined {
  if (match !== undefined && !matchesStrongly(match, tag)) throw new Refusal("precondition_failed");
  return noneMatch && findWeakly(noneMatch, tag);
}

/** Weak tags never match (RFC 9110, 13.1.1). */
function matchesStrongly(tags: Tags, tag: string, isSame = isTagOf): boolean {
  return tags === "*" || tags.some(({ isWeak, opaque }) => !isWeak && isSame(opaque, tag));
}

/** The first of `tags` that stands for what `tag` does; undefined if none does. */
function findWeakly(tags: Tags, tag: string, isSame = isTagOf): string | undefined {
  return tags === "*" ? tag : tags.find(({ opaque }) => isSame(opaque, tag))?.opaque;
}
