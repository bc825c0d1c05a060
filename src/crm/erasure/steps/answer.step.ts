/** Drops stored answers that show the person: a repeated request is still not carried out twice, and is told that its answer was not kept. */
import { dropAnswers, readKeptAnswers } from "../../../http/idempotency/kept-answers.ts";
import type { KeptAnswer } from "../../../http/idempotency/kept-answers.ts";
import { findMentions } from "../mentions.ts";
import type { Mentions } from "../mentions.ts";
import { namesPerson } from "../names-person.ts";
import type { ErasureStep } from "./erasure-step.ts";

const most = 200;

export const keptAnswerStep: ErasureStep = {
  name: "answers",
  async piece(change, scope) {
    const answers = await readKeptAnswers(change, scope.reached, most);
    const read = answers.map((answer) => ({ id: answer.id, mentions: mentionsOf(answer) }));
    const isNaming = await namesPerson(change, scope, read);
    const named = read.filter(({ mentions }) => isNaming(mentions)).map(({ id }) => id);
    dropAnswers(change, named);
    return {
      next: answers.length === most ? { place: 0, reached: answers.at(-1)!.id } : null,
      removed: { answers: named.length },
    };
  },
};

/** The path names records as well: POST /contacts/1/notes, and what the answer is: POST /attachments. */
function mentionsOf({ operation, body }: KeptAnswer): Mentions {
  const [, noun, id] = /\/(contacts|conversations|attachments)(?:\/(\d+))?/.exec(operation) ?? [];
  const top = noun as keyof Mentions | undefined;
  const mentions = findMentions(body === null ? null : JSON.parse(body), id === undefined ? top : undefined);
  if (top !== undefined && id !== undefined) mentions[top].add(Number(id));
  return mentions;
}
