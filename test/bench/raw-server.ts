/**
 * The raw limit: the HTTP server of the service (h3 and listhen) and its database drivers with nothing of ours between,
 * answering what the service answers to the requests that are measured, byte for byte.
 */
import type { IncomingMessage } from "node:http";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { listen } from "listhen";
import { FastResponse } from "srvx";
import { answerText, headersOf, operations } from "./raw-operations.ts";

const app = new H3({ silent: true });
for (const operation of operations) {
  const { method, path, status } = operation;
  app.on(method, path, async ({ runtime, url, context }) => {
    const message = runtime!.node!.req as IncomingMessage;
    const asked = { message, query: url.searchParams, id: Number(context.params?.["id"]) };
    const text = await answerText(operation, asked);
    return new FastResponse(text, { status, headers: headersOf(text) });
  });
}

const host = "127.0.0.1";
const listener = await listen(toNodeHandler(app), {
  hostname: host,
  port: { port: 0, random: true, host },
  isProd: true,
  showURL: false,
  autoClose: false,
});
Object.assign(listener.server, { headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 });
console.log(`raw server listening on ${listener.url}`);
process.once("SIGTERM", () => process.exit());
