/** A form is refused for what its last bytes hold, also when they wait behind a file that is not read yet. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openUpload } from "../../src/http/request/uploaded-file.ts";

/** In bytes: a little more than the form takes before its file is read, so that its end waits in the form. */
const limit = 70_000;
/** In bytes: so small that the form takes several of them while it waits. */
const piece = 4096;

const server = createServer((message, response) => {
  void readAll(message).then((answer) => response.end(answer));
});

async function readAll(message: IncomingMessage): Promise<string> {
  try {
    const { content } = await openUpload(message, limit, async () => {});
    while (!message.complete) await setImmediate();
    let bytes = 0;
    for await (const read of content) bytes += read.length;
    return `${bytes} bytes`;
  } catch (error) {
    return (error as Error).message;
  }
}

async function upload(form: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, method: "POST", headers: { "content-type": "multipart/form-data; boundary=x" } });
  for (let start = 0; start < form.length; start += piece) {
    await new Promise((resolve) => sent.write(form.slice(start, start + piece), resolve));
    await setImmediate();
  }
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return text(answer);
}

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  server.close();
});

const part = (length: number) =>
  `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${"x".repeat(length)}\r\n`;
const field = `--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nx\r\n`;
const malformed = "The form must have one part, a file with a name.";

test.each([
  ["a file of as many bytes as are allowed", part(limit), `${limit} bytes`],
  ["a byte too many", part(limit + 1), "payload_too_large"],
  ["a second file", part(limit) + part(1), malformed],
  ["a field behind the file", part(limit) + field, malformed],
])("%s", async (_what, parts, answer) => {
  expect(await upload(`${parts}--x--`)).toBe(answer);
});
