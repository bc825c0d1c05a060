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
