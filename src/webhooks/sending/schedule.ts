/** The retry policy: a pure function of the result of an attempt and the number of attempts. */
import type { AttemptError, DeliveryState } from "../../vocabulary/states.ts";

/** The result of an attempt. */
export interface AttemptOutcome {
  /** The response status, if any. */
  readonly status: number | null;
  /** null: success. */
  readonly error: AttemptError | null;
  readonly body: string | null;
}

interface AttemptTiming {
  /** The number of the attempt, and of the last one before this round. */
  readonly attempt: number;
  readonly roundStart: number;
  /** When the attempt ended, in milliseconds. */
  readonly endedAt: number;
}

export interface NextStep {
  readonly state: Extract<DeliveryState, "delivered" | "retrying" | "failed">;
  /** When the next attempt is due, in milliseconds. */
  readonly dueAt: number | null;
  /** Whether the receiver responded with 410 to the last attempt. */
  readonly disables: boolean;
}

/** A 2xx response is a success; anything else fails as in the specification ("Webhook delivery"). */
export function toAttemptOutcome(status: number, body: string): AttemptOutcome {
  return { status, error: errorOf(status), body };
}

function errorOf(status: number): AttemptError | null {
  if (status < 300) return null;
  if (status < 400) return "redirect";
  return status < 500 ? "http_4xx" : "http_5xx";
}

/** `delays`: seconds between the attempts of a round; there is one attempt more. */
export function nextStep(
  { status, error }: AttemptOutcome,
  { attempt, roundStart, endedAt }: AttemptTiming,
  delays: readonly number[],
): NextStep {
  if (error === null) return { state: "delivered", dueAt: null, disables: false };
  const delay = delays[attempt - roundStart - 1];
  if (delay !== undefined) return { state: "retrying", dueAt: endedAt + delay * 1000, disables: false };
  return { state: "failed", dueAt: null, disables: status === 410 };
}
