/** Refuses what HTTP/1.1 forbids and Node lets pass, before any row looks at a request. */
import type { IncomingMessage } from "node:http";
import { Refusal } from "../../vocabulary/errors.ts";

/**
 * Refuses `bad_request` (RFC 9112, 3.2: a Host that is missing, doubled or malformed), `expectation_failed`, and
 * `route.not_found` for an address that would have to be resolved before anybody could say which one it is.
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

/** A dot segment, plain or encoded, or what a parser would take for a slash or the end, in what stands before the query. */
const unresolved = /^[^?]*?(?:[\\#]|\/(?:\.|%2e){1,2}(?:[/?]|$))/i;

/** Node shows the first alone; a proxy before us may have gone by the other one. `raw`: names and values in turn. */
function countHosts(raw: readonly string[]): number {
  let hosts = 0;
  for (let place = 0; place < raw.length; place += 2) {
    const name = raw[place]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts;
}
