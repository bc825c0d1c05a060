/** The Range header (RFC 9110, 14): one range of bytes; several, and other units, are ignored. */
import type { ByteRange } from "../../../blobs/blobs.ts";
import { Refusal } from "../../../vocabulary/errors.ts";

/** Undefined for the whole. Refuses `range_not_satisfiable`. */
export function readRange(
  header: string | undefined,
  ifRange: string | undefined,
  etag: string,
  size: number,
): ByteRange | undefined {
  if (header === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (from === "" && to === "") return undefined;
  const [start, end] = from === "" ? [Math.max(0, size - Number(to)), size - 1] : [Number(from), toEnd(to, size)];
  if (start >= size || (from === "" && Number(to) === 0))
    throw new Refusal("range_not_satisfiable", { size: String(size) });
  return end < start ? undefined : { start, end };
}

function toEnd(text: string, size: number): number {
  return text === "" ? size - 1 : Math.min(Number(text), size - 1);
}
