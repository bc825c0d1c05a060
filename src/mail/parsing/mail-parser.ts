/** Parses mails without blocking the event loop: large ones in a worker thread, which ends when it is idle. */
import { Worker } from "node:worker_threads";
import { createSemaphore } from "../../kit/waiting/semaphore.ts";
import { headerLength, wholeMail } from "./bound-mail.ts";
import type { ParserTask } from "./parse-thread.ts";
import type { ParsedMail } from "./parsed-mail.ts";
import type { HtmlBody } from "./read-html.ts";
import type { HtmlDirection } from "./sanitize-html.ts";

export interface MailParser {
  parse(raw: Buffer): Promise<ParsedMail>;
  /** Sanitises the html of a message that is not a raw mail. */
  readHtml(html: string, direction: HtmlDirection): Promise<HtmlBody>;
}

/** Mails up to this many bytes and lines take a few milliseconds, and are parsed at once. The parser's time grows with the lines. */
const smallMail = { bytes: 32_768, lines: 500 };
/** Characters that are sanitised in a few milliseconds. */
const smallHtml = 8192;
const lineFeed = 0x0a;
/** In milliseconds. */
const idleTime = 5000;
const patience = 15_000;

export function createMailParser(): MailParser {
  const inTurn = createSemaphore(1);
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let pending: PromiseWithResolvers<unknown> | undefined;

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
    void closed?.terminate();
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

  const parseInThread = (raw: Buffer) => inTurn(() => performInThread<ParsedMail>({ raw }));

  /** The header, with the mail as its attachment. In a thread as well: loading the parser takes a tenth of a second. */
  async function parseHeader(raw: Buffer): Promise<ParsedMail> {
    const header = Buffer.from(raw.subarray(0, Math.min(headerLength(raw), smallMail.bytes)));
    const mail = (await parseInThread(header)) ?? (await parseHere(header));
    return { ...mail, body: null, html: null, parts: [wholeMail(raw)] };
  }

  return {
    parse: async (raw) => (isSmall(raw) ? parseHere(raw) : ((await parseInThread(raw)) ?? (await parseHeader(raw)))),
    readHtml: async (html, direction) =>
      html.length <= smallHtml
        ? (await import("./read-html.ts")).readHtml(html, direction)
        : ((await inTurn(() => performInThread<HtmlBody>({ html, direction }))) ?? { html: null, text: "" }),
  };
}

function isSmall(raw: Buffer): boolean {
  if (raw.length > smallMail.bytes) return false;
  let lines = 0;
  for (let at = raw.indexOf(lineFeed); at !== -1 && lines <= smallMail.lines; at = raw.indexOf(lineFeed, at + 1))
    lines += 1;
  return lines <= smallMail.lines;
}

/** The parser is loaded with the first mail. */
async function parseHere(raw: Buffer): Promise<ParsedMail> {
  const { parseMail } = await import("./parse-mail.ts");
  return parseMail(raw);
}
