/** Asks before something is destroyed. */
import { WrongUsage } from "../failures.ts";

/** Goes on when `yes` was given or a person agrees; throws otherwise. Without a terminal nobody can be asked. */
export async function confirm(what: string, { yes }: { yes: boolean | undefined }): Promise<void> {
  if (yes) return;
  if (!isTerminal()) throw new WrongUsage(`This would ${what}: add --yes to go ahead without being asked.`);
  const { openQuestions } = await import("./questions.ts");
  const questions = openQuestions();
  try {
    const answer = await questions.ask(`This will ${what}. Go ahead? [y/N] `);
    if (!/^y(es)?$/i.test(answer)) throw new Error("Nothing was done.");
  } finally {
    questions.close();
  }
}

/** Whether somebody sits there who can answer. */
export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}
