/** The result of an operation with what a surface may have to know beside it. */
import type { JsonText } from "../kit/json-text.ts";

interface OutcomeFlags {
  /** Whether a record was created where one might have been found. */
  readonly isNew?: boolean;
  /** Whether nothing changed, so that no answer need be kept: doing it again would change nothing either. */
  readonly isUnchanged?: boolean;
}

export class Outcome<Body = unknown> {
  readonly body: Body | JsonText<Body>;
  readonly isNew: boolean;
  readonly isUnchanged: boolean;
  constructor(body: Body | JsonText<Body>, { isNew = false, isUnchanged = false }: OutcomeFlags = {}) {
    this.body = body;
    this.isNew = isNew;
    this.isUnchanged = isUnchanged;
  }
}

/** What a handler resolved to, with its facts; nothing at all counts as null. */
export function toOutcome(result: unknown): Outcome {
  return result instanceof Outcome ? result : new Outcome(result ?? null);
}
