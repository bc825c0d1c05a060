/** The prompts of `crm setup`: each repeats until its answer is valid, so a refused answer loses no other. */
import { likelyCountry } from "../../src/kit/country.ts";
import { judgeAnswer } from "../../src/setup/setup.schema.ts";
import type { SetupAnswers } from "../../src/setup/setup.schema.ts";
import { Invalid } from "../../src/vocabulary/errors.ts";
import { openQuestions } from "./questions.ts";

interface Question {
  readonly name: keyof SetupAnswers;
  readonly text: string;
  /** What an empty answer stands for. */
  readonly offer?: (answers: Partial<SetupAnswers>) => string;
}

const machine = Intl.DateTimeFormat().resolvedOptions();

const setupQuestions: readonly Question[] = [
  { name: "workspace", text: "Name of the workspace, such as the company" },
  { name: "location", text: "Name of its first location, such as the street or the town" },
  { name: "owner_email", text: "E-mail of the owner" },
  { name: "timezone", text: "Time zone of the location", offer: () => machine.timeZone },
  {
    name: "country",
    text: "Country of the location, used to read phone numbers",
    offer: ({ timezone = machine.timeZone }) => likelyCountry(timezone, machine.locale),
  },
];

/** `given`, completed by prompts. Throws at end of input. */
export async function askForSetup(given: Partial<SetupAnswers>): Promise<SetupAnswers> {
  const answers: { -readonly [Name in keyof SetupAnswers]?: SetupAnswers[Name] } = { ...given };
  const questions = openQuestions();
  try {
    for (const { name, text, offer } of setupQuestions) {
      const offered = offer?.(answers);
      const question = offered === undefined ? `${text}: ` : `${text} [${offered}]: `;
      while (answers[name] === undefined) {
        const answer = (await questions.ask(question)) || (offered ?? "");
        const refusal = refusalOf(name, answer);
        if (refusal === undefined) answers[name] = answer;
        else process.stderr.write(`  ${refusal}\n`);
      }
    }
  } finally {
    questions.close();
  }
  return answers as SetupAnswers;
}

function refusalOf(name: keyof SetupAnswers, answer: string): string | undefined {
  try {
    judgeAnswer(name, answer);
    return undefined;
  } catch (error) {
    if (error instanceof Invalid) return error.message;
    throw error;
  }
}
