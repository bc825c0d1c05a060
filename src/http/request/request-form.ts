/** Refuses requests that HTTP/1.1 forbids but Node accepts. */
import type { IncomingMessage } from "node:http";
import { Refusal } from "../../vocabulary/errors.ts";

/**
 * Refuses `bad_request` (RFC 9112, 3.2: a missing, repeated or malformed Host), `expectation_failed`, and
 * `route.not_found` for an ambiguous path.
 */
export function requireWellFormed(message: IncomingMessage): void {
  const hosts = countHosts(message.rawHeaders);
  if (hosts > 1 || (hosts === 0 && message.httpVersion === "1.1")) throw new Refusal("bad_request");
  if (hosts === 1 && !host.test(message.headers.host ?? "")) throw new Refusal("bad_request");
  const expected = message.headers.expect;
  if (expected !== undefined && expected.toLowerCase() !== "100-continue") throw new Refusal("expectation_failed");
  if (unresolved.test(message.url ?? "")) throw new Refusal("route.not_found");
}

const host = /^(?:\[[\d.:a-f]+\]|[\w!$%&'()*+,.;=~-]*)(?::\d*)?$/i;

/** A dot segment, plain or encoded, or a character that a parser may take for a slash or the end of the path. */
const unresolved = /^[^?]*?(?:[\\#]|\/(?:\.|%2e){1,2}(?:[/?]|$))/i;

/** Node exposes only the first value; a proxy may have used another. `raw`: names and values, alternating. */
function countHosts(raw: readonly string[]): number {
  let hosts = 0;
  for (let place = 0; place < raw.length; place += 2) {
    const name = raw[place]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts;
}
