/** Parses mails without blocking the event loop: large ones in a worker thread, which ends when it is idle. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createSemaphore } from "../../kit/waiting/semaphore.ts";
import { digestOf, headerLength, wholeMail } from "./bound-mail.ts";
import type { ParserTask } from "./parse-thread.ts";
import type { ParsedMail } from "./parsed-mail.ts";
import type { HtmlBody } from "./read-html.ts";
import type { HtmlDirection } from "./sanitize-html.ts";

export interface MailParser {
  /** A raw mail, in pieces. */
  parse(raw: readonly Uint8Array[]): Promise<ParsedMail>;
  /** Sanitises the html of a message that is not a raw mail. */
  readHtml(html: string, direction: HtmlDirection): Promise<HtmlBody>;
}

/** Mails up to this many bytes and lines take a few milliseconds, and are parsed at once. The parser's time grows with the lines. */
const smallMail = { bytes: 32_768, lines: 500 };
/** Characters that are sanitised in a few milliseconds. */
const smallHtml = 8192;
const lineFeed = 0x0a;
/** Bytes that are copied in one turn of the event loop: touching new memory takes up to four milliseconds for each megabyte. */
const turnBytes = 131_072;
/** In milliseconds. */
const idleTime = 5000;
const patience = 15_000;

export function createMailParser(): MailParser {
  const inTurn = createSemaphore(1);
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let pending: PromiseWithResolvers<unknown> | undefined;
  /** Mails cross in it. Reused, since V8 does not count shared memory: it would be collected too late. */
  let shared = new SharedArrayBuffer(0);

  function open(): Worker {
    clearTimeout(idle);
    if (thread !== undefined) return thread;
    // In the package, the files are JavaScript.
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const opened = new Worker(new URL(`./parse-thread.${extension}`, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    opened
      .on("message", (result: unknown) => pending?.resolve(result))
      .on("error", (error) => pending?.reject(error))
      .on("exit", () => {
        if (thread === opened) pending?.reject(new Error("the thread ended"));
      });
    opened.unref();
    thread = opened;
    return opened;
  }

  function close(): void {
    const closed = thread;
    thread = undefined;
    shared = new SharedArrayBuffer(0);
    void closed?.terminate();
  }

  async function share(raw: readonly Uint8Array[]): Promise<Uint8Array> {
    const size = sizeOf(raw);
    // A power of two: larger mails, each a little larger than the last, would have it allocated anew.
    if (shared.byteLength < size) shared = new SharedArrayBuffer(2 ** Math.ceil(Math.log2(size)));
    const bytes = new Uint8Array(shared, 0, size);
    let [at, copied] = [0, 0];
    for (const piece of raw) {
      for (let from = 0; from < piece.length; from += turnBytes) {
        const taken = piece.subarray(from, from + turnBytes);
        bytes.set(taken, at);
        at += taken.length;
        copied += taken.length;
        if (copied < turnBytes) continue;
        copied = 0;
        await nextTurn();
      }
    }
    return bytes;
  }

  /** Undefined if it took too long or too much memory. */
  async function performInThread<Result>(task: ParserTask): Promise<Result | undefined> {
    const answer = Promise.withResolvers<Result>();
    pending = answer as PromiseWithResolvers<unknown>;
    const timer = setTimeout(() => answer.reject(new Error("parsing took too long")), patience);
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      open().postMessage(task);
      return await answer.promise;
    } catch {
      close();
      return undefined;
    } finally {
      clearTimeout(timer);
      pending = undefined;
      idle = setTimeout(close, idleTime);
      idle.unref();
    }
  }

  const parseInThread = (raw: readonly Uint8Array[]) =>
    inTurn(async () => performInThread<ParsedMail>({ raw: await share(raw) }));

  /** The header, with the mail as its attachment. In a thread as well: loading the parser takes a tenth of a second. */
  async function parseHeader(raw: Buffer): Promise<ParsedMail> {
    const header = Buffer.from(raw.subarray(0, Math.min(headerLength(raw), smallMail.bytes)));
    const mail = (await parseInThread([header])) ?? (await parseHere(header));
    return { ...mail, digest: digestOf(raw), body: null, html: null, parts: [wholeMail(raw)] };
  }

  async function parse(raw: readonly Uint8Array[]): Promise<ParsedMail> {
    if (sizeOf(raw) <= smallMail.bytes) {
      const whole = Buffer.concat(raw);
      if (linesOf(whole) <= smallMail.lines) return parseHere(whole);
    }
    return (await parseInThread(raw)) ?? (await parseHeader(Buffer.concat(raw)));
  }

  return {
    parse,
    readHtml: async (html, direction) =>
      html.length <= smallHtml
        ? (await import("./read-html.ts")).readHtml(html, direction)
        : ((await inTurn(() => performInThread<HtmlBody>({ html, direction }))) ?? { html: null, text: "" }),
  };
}

function sizeOf(raw: readonly Uint8Array[]): number {
  return raw.reduce((sum, { length }) => sum + length, 0);
}

function linesOf(raw: Buffer): number {
  let lines = 0;
  for (let at = raw.indexOf(lineFeed); at !== -1; at = raw.indexOf(lineFeed, at + 1)) lines += 1;
  return lines;
}

/** The parser is loaded with the first mail. */
async function parseHere(raw: Buffer): Promise<ParsedMail> {
  const { parseMail } = await import("./parse-mail.ts");
  return parseMail(raw);
}
