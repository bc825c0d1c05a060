/** Distributed tracing: the `traceparent` header of a request (W3C Trace Context), and the one that is passed on. */
import { randomBytes } from "node:crypto";

/** version, trace ID, parent ID, flags. A later version may append fields. */
const pattern = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(?:-.*)?$/;

/** What is kept of a trace: its ID and flags, as `<trace ID>-<flags>`. */
export type Trace = string;

/** Undefined for a missing or malformed header, which is ignored (W3C Trace Context, 3.2.2.5). */
export function readTrace(header: string | undefined): Trace | undefined {
  if (header === undefined || header.length > 512) return undefined;
  const found = pattern.exec(header.trim());
  // A header of version 00 has exactly four fields.
  if (found === null || (header.startsWith("00") && header.trim().length !== 55)) return undefined;
  return `${found[1]}-${found[2]}`;
}

export function traceIdOf(trace: Trace): string {
  return trace.slice(0, 32);
}

/** The header of a request that `trace` caused: a span of its own in the same trace. */
export function toTraceparent(trace: Trace): string {
  return `00-${trace.slice(0, 32)}-${randomSpanId()}-${trace.slice(33)}`;
}

/** An ID of zeros is invalid. */
function randomSpanId(): string {
  for (;;) {
    const id = randomBytes(8).toString("hex");
    if (!/^0+$/.test(id)) return id;
  }
}
