/** The retry policy of webhook deliveries: decides from an attempt's result and number whether and when a delivery is retried. */
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
  /** The number of the attempt, and of the last attempt of the previous round (0 for the first round). */
  readonly attempt: number;
  readonly roundStart: number;
  /** When the attempt ended, in milliseconds. */
  readonly endedAt: number;
}

export interface NextStep {
  readonly state: Extract<DeliveryState, "delivered" | "retrying" | "failed">;
  /** When the next attempt is due, in milliseconds. */
  readonly dueAt: number | null;
  /** Whether to disable the webhook: the receiver answered the last attempt with 410 Gone. */
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

/** `delays`: the backoff schedule in seconds. A round has one more attempt than it has delays. */
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
