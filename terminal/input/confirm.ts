/** Asks before something is destroyed. */
import { createInterface } from "node:readline/promises";
import { WrongUsage } from "../failures.ts";

/** Goes on when `yes` was given or a person agrees; throws otherwise. Without a terminal nobody can be asked. */
export async function confirm(what: string, { yes }: { yes: boolean | undefined }): Promise<void> {
  if (yes) return;
  if (!isTerminal()) throw new WrongUsage(`This would ${what}: add --yes to go ahead without being asked.`);
  const answer = await ask(`This will ${what}. Go ahead? [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw new Error("Nothing was done.");
}

/** Whether somebody sits there who can answer. */
export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** The trimmed answer to a question, which is put on stderr so that stdout carries the result alone. */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<never>((_, reject) => lines.once("close", () => reject(new Error("Nothing was done."))));
  try {
    return (await Promise.race([lines.question(question), ended])).trim();
  } finally {
    ended.catch(() => {});
    lines.close();
  }
}
