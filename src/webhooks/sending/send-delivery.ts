/** Sends one delivery: the same body in every attempt with a new signature, and returns the result. */
import type { KeyObject } from "node:crypto";
import type { Grant } from "../../events/caller.ts";
import { toEnvelope } from "../../events/envelope.ts";
import { unpackPayload } from "../../events/payloads/stored-payload.ts";
import type { MasterKeys } from "../../kit/secrets/master-keys.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { toTraceparent } from "../../kit/observing/trace-context.ts";
import { OutboundFault } from "../../outbound/outbound-fault.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { DeliveredName } from "../../vocabulary/events.ts";
import { sealedFor } from "../hooks/hook-secret.ts";
import { sign, toSigningKey } from "../signature.ts";
import type { AttemptResult } from "./acknowledge.ts";
import type { Claimed, DueHook } from "./take-deliveries.ts";
import { toAttemptOutcome } from "./schedule.ts";
import type { AttemptOutcome } from "./schedule.ts";

/**
 * Redacts a payload for a webhook with these scopes. Passed in: webhooks lie below the nouns, which know what their
 * events reveal.
 */
export type RedactPayload = (held: Pick<Grant, "scopes">, event: DeliveredName, data: string) => string;

interface FlightTools {
  readonly outbound: Outbound;
  readonly vault: Pick<MasterKeys, "open">;
  readonly clock: Clock;
  readonly redactPayload: RedactPayload;
  /** Reports a secret that cannot be decrypted. */
  readonly report: (error: unknown) => void;
}

/** Number of cached decrypted secrets: decrypting takes longer than signing. */
const mostKeys = 10_000;

/** Always resolves, at the latest on timeout; `signal` aborts it, and the result is then unknown. */
export type Send = (delivery: Claimed, signal: AbortSignal) => Promise<AttemptResult>;

export function createSend({ outbound, vault, clock, redactPayload, report }: FlightTools): Send {
  const keys = new Map<string, KeyObject>();

  function keyOf(sealed: string, hookId: number): KeyObject {
    const known = keys.get(sealed);
    if (known !== undefined) return known;
    const key = toSigningKey(vault.open(sealed, sealedFor(hookId)));
    if (keys.size >= mostKeys) keys.clear();
    keys.set(sealed, key);
    return key;
  }

  function keysOf({ hook_id, secret, old_secret, old_secret_until }: DueHook, now: number): KeyObject[] {
    const isInGrace = old_secret !== null && old_secret_until !== null && now < old_secret_until;
    return isInGrace ? [keyOf(secret, hook_id), keyOf(old_secret, hook_id)] : [keyOf(secret, hook_id)];
  }

  async function attempt(
    { id, hook, scopes, event, data, eventCreatedAt, trace }: Claimed,
    signal: AbortSignal,
  ): Promise<AttemptOutcome> {
    if (data === null) return { status: null, error: null, body: null };
    const shown = redactPayload({ scopes }, event, unpackPayload(data));
    const body = toEnvelope({ id, event, created_at: eventCreatedAt, data: shown });
    const now = clock.now().getTime();
    // Header names are spelled as in the specification, for case-sensitive receivers.
    const headers = {
      "Content-Type": "application/json",
      "User-Agent": "crm-webhooks",
      "X-Service-Event": event,
      "X-Service-Delivery": String(id),
      "X-Service-Signature": sign(body, keysOf(hook, now), now),
      ...(trace === null ? {} : { traceparent: toTraceparent(trace) }),
    };
    const answer = await outbound.post({ target: hook.target_url, headers, body, signal });
    return toAttemptOutcome(answer.status, answer.body);
  }

  return async (delivery, signal) => {
    const begun = performance.now();
    const outcome = await attempt(delivery, signal).catch((error: unknown): AttemptOutcome | undefined => {
      if (signal.aborted) return undefined;
      if (error instanceof OutboundFault) return { status: null, error: error.kind, body: null };
      report(error);
      return { status: null, error: "crashed", body: null };
    });
    return { delivery, outcome, durationMs: performance.now() - begun, endedAt: clock.now().getTime() };
  };
}
