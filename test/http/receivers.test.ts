/** Receivers that misbehave, on real sockets: whatever one does, its request ends in time, with one word that says why. */
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { OutboundFault } from "../../src/outbound/outbound-fault.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { createTargetGuard } from "../../src/outbound/target-guard.ts";

const guard = createTargetGuard({
  allowedNetworks: ["127.0.0.0/8"],
  allowHttp: true,
  resolve: async () => ["127.0.0.1"],
});

type Behave = (socket: Socket) => void;

/** Waits for the whole request, then answers with `text`. */
function answering(text: string | Buffer, { ends = true } = {}): Behave {
  return (socket) => {
    socket.once("data", () => {
      socket.write(text);
      if (ends) socket.end();
    });
  };
}

/** Writes `text` repeatedly until the peer closes the connection. */
function flooding(head: string, text: string): Behave {
  const piece = text.repeat(Math.ceil(65_536 / text.length));
  return (socket) => {
    const pour = (): void => {
      while (!socket.destroyed && socket.write(piece)) {
        // until the socket is full
      }
    };
    socket.once("data", () => {
      socket.write(head);
      socket.on("drain", pour);
      pour();
    });
  };
}

async function listen(behave: Behave, tls?: string) {
  const folder = join(import.meta.dirname, "../support/certificates");
  const sockets = new Set<Socket>();
  const handle = (socket: Socket): void => {
    sockets.add(socket);
    // One that takes nothing would not even see that it was left.
    socket
      .on("error", () => {})
      .on("close", () => sockets.delete(socket))
      .resume();
    behave(socket);
  };
  const server =
    tls === undefined
      ? createServer(handle)
      : createTlsServer(
          { key: readFileSync(join(folder, `${tls}.key`)), cert: readFileSync(join(folder, `${tls}.pem`)) },
          handle,
        ).on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Told {
  readonly status: number | string;
  readonly body: string;
  readonly milliseconds: number;
}

async function post(
  target: string,
  { patience = 400, signal = new AbortController().signal }: { patience?: number; signal?: AbortSignal } = {},
): Promise<Told> {
  const outbound = createOutbound({ guard, patience });
  const begun = performance.now();
  const told = (status: number | string, body: string): Told => ({
    status,
    body,
    milliseconds: performance.now() - begun,
  });
  try {
    const { status, body } = await outbound.post({ target, headers: { a: "b" }, body: '{"id":1}', signal });
    return told(status, body);
  } catch (error) {
    if (error instanceof OutboundFault) return told(error.kind, "");
    throw error;
  } finally {
    await outbound.close();
  }
}

const ok = "HTTP/1.1 200 OK\r\n";

describe.each<[what: string, behave: Behave, status: number | string, body: string]>([
  ["an ordinary answer", answering(`${ok}content-length: 2\r\n\r\nok`), 200, "ok"],
  ["no body", answering("HTTP/1.1 204 No Content\r\n\r\n"), 204, ""],
  ["HTTP/1.0", answering("HTTP/1.0 200 OK\r\n\r\nold"), 200, "old"],
  [
    "an interim answer before",
    answering(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok}content-length: 0\r\n\r\n`),
    200,
    "",
  ],
  ["a failure", answering("HTTP/1.1 500 Oops\r\ncontent-length: 4\r\n\r\noops"), 500, "oops"],
  [
    "bytes that are no text",
    answering(Buffer.concat([Buffer.from(`${ok}content-length: 4\r\n\r\n`), Buffer.from([0, 0xff, 0x41, 0])])),
    200,
    "��A�",
  ],
  ["never an answer", () => {}, "timeout", ""],
  ["a byte of the head every 20 ms", drip(ok + "x: y\r\n".repeat(100)), "timeout", ""],
  ["a head, and a byte of the body every 20 ms", drip("x".repeat(1000), `${ok}content-length: 1000\r\n\r\n`), 200, "x"],
  ["a head, and nothing more", answering(`${ok}content-length: 10\r\n\r\n`, { ends: false }), 200, ""],
  ["a flood of interim answers", flooding("", "HTTP/1.1 103 Early Hints\r\n\r\n"), "refused", ""],
  ["a flood of 100s", flooding("", "HTTP/1.1 100 Continue\r\n\r\n"), "refused", ""],
  ["a body without end", flooding(`${ok}\r\n`, "x".repeat(10_000)), 200, "x".repeat(4096)],
  [
    "a chunked body without end",
    flooding(`${ok}transfer-encoding: chunked\r\n\r\n`, "1000\r\n" + "x".repeat(4096) + "\r\n"),
    200,
    "x".repeat(4096),
  ],
  ["a gzip bomb", answering(bomb()), 200, "gzip"],
  ["headers without end", flooding(ok, "x: y\r\n"), "refused", ""],
  ["one huge header", answering(`${ok}x: ${"y".repeat(100_000)}\r\n\r\n`), "refused", ""],
  ["no HTTP", answering("220 mail.example.com ESMTP\r\n"), "refused", ""],
  [
    "a switch of protocols",
    answering("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    "refused",
    "",
  ],
  ["two lengths", answering(`${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nab`), "refused", ""],
  ["a reset at once", (socket) => socket.resetAndDestroy(), "refused", ""],
  ["a reset after the request", (socket) => socket.once("data", () => socket.resetAndDestroy()), "refused", ""],
  ["a reset in the head", resetting("HTTP/1.1 200 O"), "refused", ""],
  ["a reset in the body", resetting(`${ok}content-length: 100\r\n\r\nbegun`), 200, "begun"],
  ["an end at once", (socket) => socket.end(), "refused", ""],
  ["an end in the head", answering("HTTP/1.1 200 O"), "refused", ""],
])("a receiver gives %s", (_what, behave, status, body) => {
  it(`is told as ${status}`, async () => {
    await using receiver = await listen(behave);
    const told = await post(`http://127.0.0.1:${receiver.port}/hook`);
    expect(told.status).toBe(status);
    if (body === "gzip") expect(told.body.length).toBeLessThanOrEqual(4096);
    else if (body === "x") expect(told.body).toMatch(/^x{1,100}$/);
    else expect(told.body).toBe(body);
    // The deadline is a second, and what drips would take twelve.
    expect(told.milliseconds).toBeLessThan(5000);
    await expect.poll(() => receiver.sockets.size).toBe(0);
  });
});

test("a port that nobody listens at is told as one that answers no HTTP", async () => {
  const { port } = await (async () => {
    await using receiver = await listen(() => {});
    return receiver;
  })();
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ status: "refused", body: "" });
});

describe.each([300, 301, 302, 303, 304, 305, 307, 308])("a redirect with %i", (status) => {
  it.each(["inside", "outside"])("%s is not followed", async (where) => {
    await using other = await listen(answering(`${ok}content-length: 0\r\n\r\n`));
    const location = where === "inside" ? `http://127.0.0.1:${other.port}/` : "https://example.com/";
    let asked = 0;
    await using receiver = await listen((socket) => {
      asked += 1;
      answering(`HTTP/1.1 ${status} Elsewhere\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`)(socket);
    });
    expect(await post(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ status });
    expect(asked).toBe(1);
    expect(other.sockets.size).toBe(0);
  });
});

describe("ten seconds", () => {
  const after =
    (seconds: number): Behave =>
    (socket) =>
      void socket.once("data", () => setTimeout(() => socket.end(`${ok}content-length: 0\r\n\r\n`), seconds * 1000));
  it.concurrent.each([
    [9.5, 200],
    [10.5, "timeout"],
  ])("an answer after %f seconds is told as %s", async (seconds, status) => {
    await using receiver = await listen(after(seconds));
    const outbound = createOutbound({ guard });
    const told = await outbound
      .post({
        target: `http://127.0.0.1:${receiver.port}/`,
        headers: {},
        body: "{}",
        signal: new AbortController().signal,
      })
      .then(
        ({ status: answered }) => answered,
        ({ kind }: OutboundFault) => kind,
      );
    await outbound.close();
    expect(told).toBe(status);
  });
});

describe("TLS", () => {
  const before = getCACertificates("default");
  beforeAll(() => {
    const ours = readFileSync(join(import.meta.dirname, "../support/certificates/ca.pem"), "utf8");
    setDefaultCACertificates([...before, ours]);
  });
  afterAll(() => setDefaultCACertificates(before));

  test.each([
    ["good", "hooks.example.com", 200],
    ["good", "127.0.0.1", "tls"],
    ["wrong-name", "hooks.example.com", "tls"],
    ["expired", "hooks.example.com", "tls"],
    ["self-signed", "hooks.example.com", "tls"],
  ])("a certificate that is %s, asked as %s, is told as %s", async (certificate, name, status) => {
    await using receiver = await listen(answering(`${ok}content-length: 0\r\n\r\n`), certificate);
    expect(await post(`https://${name}:${receiver.port}/`)).toMatchObject({ status });
  });

  it("is not spoken by a receiver that speaks plainly", async () => {
    await using receiver = await listen(answering("HTTP/1.1 400 Bad Request\r\n\r\n"));
    expect(await post(`https://hooks.example.com:${receiver.port}/`)).toMatchObject({ status: "tls" });
  });

  it("has not begun when the time is over", async () => {
    await using receiver = await listen(() => {});
    expect(await post(`https://hooks.example.com:${receiver.port}/`)).toMatchObject({ status: "timeout" });
  });
});

test("whoever stops it gets his own reason, and the connection is cut", async () => {
  await using receiver = await listen(() => {});
  const stop = new AbortController();
  const posted = post(`http://127.0.0.1:${receiver.port}/`, { patience: 5000, signal: stop.signal });
  await expect.poll(() => receiver.sockets.size).toBe(1);
  stop.abort(new Error("the worker stops"));
  await expect(posted).rejects.toThrow("the worker stops");
  await expect.poll(() => receiver.sockets.size).toBe(0);
});

test("a connection serves one request after the other, and only to the same addresses", async () => {
  let connections = 0;
  const behave: Behave = (socket) => {
    connections += 1;
    socket.on("data", () => void socket.write(`${ok}content-length: 0\r\n\r\n`));
  };
  await using receiver = await listen(behave);
  let answer = ["127.0.0.1"];
  const resolving = createTargetGuard({
    allowedNetworks: ["127.0.0.0/8"],
    allowHttp: true,
    resolve: async () => answer,
  });
  const outbound = createOutbound({ guard: resolving });
  const send = () =>
    outbound.post({
      target: `http://hooks.example.com:${receiver.port}/`,
      headers: {},
      body: "{}",
      signal: new AbortController().signal,
    });
  await send();
  // undici frees a connection right after it has told of the end of its answer.
  await setImmediate();
  await send();
  expect(connections).toBe(1);
  answer = ["127.0.0.2"];
  await expect(send()).rejects.toMatchObject({ kind: "refused" });
  await outbound.close();
});

/** Writes `head` at once and `text` a byte at a time. */
function drip(text: string, head = ""): Behave {
  return (socket) => {
    socket.once("data", () => {
      if (head !== "") socket.write(head);
      let place = 0;
      const timer = setInterval(() => socket.write(text[place++] ?? ""), 20);
      socket.on("close", () => clearInterval(timer));
    });
  };
}

function resetting(text: string): Behave {
  return (socket) => {
    socket.once("data", () => socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20)));
  };
}

/** Ten mebibytes of nothing in ten kibibytes. */
function bomb(): Buffer {
  const packed = gzipSync(Buffer.alloc(10 << 20));
  const head = `${ok}content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), packed]);
}
