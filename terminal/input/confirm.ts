/** Asks for confirmation before deleting or ending something. */
import { WrongUsage } from "../failures.ts";

/** Continues if `yes` is set or a person agrees; throws otherwise. Without a terminal it cannot ask. */
export async function confirm(what: string, { yes }: { yes: boolean | undefined }): Promise<void> {
  if (yes) return;
  if (!isTerminal()) throw new WrongUsage(`This would ${what}: add --yes to confirm.`);
  const { openQuestions } = await import("./questions.ts");
  const questions = openQuestions();
  try {
    const answer = await questions.ask(`This will ${what}. Continue? [y/N] `);
    if (!/^y(es)?$/i.test(answer)) throw new Error("Nothing was done.");
  } finally {
    questions.close();
  }
}

/** Whether a person at a terminal can answer. */
export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}
