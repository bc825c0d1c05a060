/**
 * The bare limit: the raw limit without its libraries. `node:http` and the driver answer the same requests from the same rows with the
 * same commits, so what h3, srvx and listhen cost shows between the two.
 */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerText, headersOf, operations } from "./raw-operations.ts";

const byPath = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));

async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = "", query] = message.url!.split("?");
  let id = "";
  const pattern = path.replace(/(?<=\/(?:contacts|conversations)\/)\d+/, (digits) => ((id = digits), ":id"));
  const operation = byPath.get(`${message.method} ${pattern}`)!;
  const text = await answerText(operation, { message, query: new URLSearchParams(query), id: Number(id) });
  response.writeHead(operation.status, headersOf(text));
  response.end(text);
}

const server = createServer((message, response) => void serve(message, response));
server.listen(0, "127.0.0.1", () => {
  console.log(`bare server listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once("SIGTERM", () => process.exit());
