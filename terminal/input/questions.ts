/** Prompts a person, one question after the other; input may be typed ahead. */
import { createInterface } from "node:readline/promises";

export interface Questions {
  /** The trimmed answer. Throws at end of input (Ctrl-C, Ctrl-D). */
  ask(question: string): Promise<string>;
  close(): void;
}

/** Prompts go to stderr: stdout carries only the result. */
export function openQuestions(): Questions {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answers = lines[Symbol.asyncIterator]();
  // The end of the input may be read before the lines typed ahead are taken; a closed interface refuses to prompt.
  let isEnded = false;
  lines.once("close", () => (isEnded = true));
  return {
    async ask(question) {
      if (isEnded) process.stderr.write(question);
      else {
        lines.setPrompt(question);
        lines.prompt();
      }
      const { value, done } = await answers.next();
      if (done === true) throw new Error("Nothing was done.");
      return value.trim();
    },
    close: () => lines.close(),
  };
}
