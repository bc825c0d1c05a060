/** Posts a raw mail to the inbound URL of a channel, as Postfix and providers do. */
import { request } from "./client.ts";
import type { HttpAnswer } from "./client.ts";

export function postRaw(url: string, { inbound_url }: { inbound_url: string }, raw: Buffer): Promise<HttpAnswer> {
  const { pathname: path } = new URL(inbound_url);
  return request(url, { method: "POST", path, body: raw, headers: { "content-type": "message/rfc822" } });
}
