/** The worker thread of the mail parser: performs the tasks that its parent posts. */
import { parentPort } from "node:worker_threads";
import { parseMail } from "./parse-mail.ts";
import { readHtml } from "./read-html.ts";
import type { HtmlDirection } from "./sanitize-html.ts";

/** A raw mail, or the html of a message. */
export type ParserTask = { readonly raw: Uint8Array } | { readonly html: string; readonly direction: HtmlDirection };

async function perform(task: ParserTask) {
  if ("html" in task) return readHtml(task.html, task.direction);
  const { raw } = task;
  return parseMail(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
}

parentPort!.on("message", (task: ParserTask) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void perform(task).then((result) => parentPort!.postMessage(result));
});
