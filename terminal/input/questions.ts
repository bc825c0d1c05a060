/** Asks a person one question after the other; the next answer may be typed before its question stands there. */
import { createInterface } from "node:readline/promises";

export interface Questions {
  /** The trimmed answer. Throws once nobody answers any more (Ctrl-C, Ctrl-D). */
  ask(question: string): Promise<string>;
  close(): void;
}

/** Questions are put on stderr, so that stdout carries the result alone. */
export function openQuestions(): Questions {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answers = lines[Symbol.asyncIterator]();
  return {
    async ask(question) {
      lines.setPrompt(question);
      lines.prompt();
      const { value, done } = await answers.next();
      if (done === true) throw new Error("Nothing was done.");
      return value.trim();
    },
    close: () => lines.close(),
  };
}
