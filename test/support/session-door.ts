/**
 * A way for scripts to the process that runs command lines one after the other (terminal-session.ts): a guide of twenty commands starts `crm`
 * once instead of twenty times.
 */
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { CommandLine } from "./session-process.ts";
import { runInSession } from "./terminal-session.ts";

export interface SessionDoor extends AsyncDisposable {
  /** Defines `crm` for a script of bash in a clone. */
  readonly crm: string;
}

export async function openSessionDoor(directory: string): Promise<SessionDoor> {
  const path = join(directory, "session.socket");
  const server = createServer({ allowHalfOpen: true }, (asking) => {
    // A script that is ended takes its connection along.
    asking.on("error", () => {});
    void (async () => {
      const { parameters, ...options } = JSON.parse(await text(asking)) as CommandLine;
      asking.end(JSON.stringify(await runInSession(parameters, options)));
    })().catch(() => asking.destroy());
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const knock = `'${join(import.meta.dirname, "session-knock.ts")}' '${path}'`;
  return {
    // A file is bytes, which the session takes for text: it comes from a process of its own.
    crm: `crm() { case "$1" in attachments) node bin/crm.js "$@" ;; *) '${process.execPath}' ${knock} "$@" ;; esac; }\n`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
