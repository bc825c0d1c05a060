/** The worker thread of the mail parser: performs the tasks that its parent posts. */
import { parentPort } from "node:worker_threads";
import { parseMail } from "./parse-mail.ts";
import type { ParsedMail } from "./parsed-mail.ts";
import { readHtml } from "./read-html.ts";
import type { HtmlBody } from "./read-html.ts";
import type { HtmlDirection } from "./sanitize-html.ts";

/** A raw mail in shared memory, or the html of a message. */
export type ParserTask = { readonly raw: Uint8Array } | { readonly html: string; readonly direction: HtmlDirection };

async function perform(task: ParserTask): Promise<ParsedMail | HtmlBody> {
  if ("html" in task) return readHtml(task.html, task.direction);
  return parseMail(Buffer.from(task.raw));
}

/** Smaller contents may share their memory, and are copied. */
const largeContent = 65_536;

/** The memory of large contents, which changes its thread without being copied. */
function memoryOf(result: ParsedMail | HtmlBody): ArrayBuffer[] {
  if (!("parts" in result)) return [];
  const whole = result.parts
    .map(({ content }) => content)
    .filter(({ length, buffer }) => length >= largeContent && length === buffer.byteLength);
  return [...new Set(whole.map(({ buffer }) => buffer as ArrayBuffer))];
}

parentPort!.on("message", (task: ParserTask) => {
  void perform(task).then((result) => parentPort!.postMessage(result, memoryOf(result)));
});
