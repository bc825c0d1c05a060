/** The result of an operation, with flags for the surface. */
import type { JsonText } from "../kit/json-text.ts";

interface OutcomeFlags {
  /** Whether an upsert created the record. */
  readonly isNew?: boolean;
  /** Whether a part of the work is left to the worker. */
  readonly isPending?: boolean;
  /** Whether nothing changed. Such a result need not be stored for idempotency: repeating the request changes nothing either. */
  readonly isUnchanged?: boolean;
}

export class Outcome<Body = unknown> {
  readonly body: Body | JsonText<Body>;
  readonly isNew: boolean;
  readonly isPending: boolean;
  readonly isUnchanged: boolean;
  constructor(
    body: Body | JsonText<Body>,
    { isNew = false, isPending = false, isUnchanged = false }: OutcomeFlags = {},
  ) {
    this.body = body;
    this.isNew = isNew;
    this.isPending = isPending;
    this.isUnchanged = isUnchanged;
  }
}

/** Wraps a handler's result; undefined becomes null. */
export function toOutcome(result: unknown): Outcome {
  return result instanceof Outcome ? result : new Outcome(result ?? null);
}
