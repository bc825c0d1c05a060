/** What a transport is handed, and what it says of it. */

/** A message on its way out, as far as transports need it. */
export interface OutgoingMessage {
  /** The same in every attempt. */
  readonly id: number;
  readonly conversationId: number;
  readonly channel: { readonly id: number; readonly kind: string; readonly name: string };
  readonly from: string | null;
  readonly to: string;
  /** Who it is for; null where nobody knows. */
  readonly contact: { readonly id: number; readonly name: string } | null;
  /** Where answers should go, where that is not `from`. */
  readonly replyTo: string | null;
  readonly subject: string | null;
  readonly body: string | null;
  readonly html: string | null;
  /** Whether a workflow wrote it: programs that answer by themselves are asked not to. */
  readonly isAutomatic: boolean;
  /** Milliseconds. */
  readonly createdAt: number;
  /** What came and went before in the conversation, the oldest first. */
  readonly earlier: readonly EarlierMessage[];
}

export interface EarlierMessage {
  readonly id: number;
  readonly direction: "inbound" | "outbound";
  /** What the provider calls it. */
  readonly externalId: string | null;
  readonly from: string | null;
  readonly createdAt: number;
}

/**
 * What came of an attempt: it was taken; or it was refused, and will be again; or it could not be handed over now. `isOfChannel`: it was
 * none of the message's fault, and no other one would have passed. Reasons are sentences for people.
 */
export type Attempt =
  | { readonly outcome: "taken" }
  | { readonly outcome: "refused"; readonly reason: string }
  | {
      readonly outcome: "unavailable";
      readonly reason: string;
      readonly isOfChannel: boolean;
      /** Where it was tried and what the system says of it, for operators alone; null where that says no more. */
      readonly detail?: string | null;
    };

/** Why an attempt came to nothing, with all that operators are told. */
export function toOperatorReason(attempt: Exclude<Attempt, { readonly outcome: "taken" }>): string {
  const detail = attempt.outcome === "unavailable" ? (attempt.detail ?? null) : null;
  return detail === null ? attempt.reason : `${attempt.reason.replace(/\.$/, "")} (${detail}).`;
}

/** Where a channel's messages go, as it lies in its row, opened. */
export interface TransportAccess {
  readonly url: string;
  readonly secret: string | null;
}

/** Resolves within about a minute. Throws the reason of `signal` alone. */
export type SendByTransport = (
  message: OutgoingMessage,
  access: TransportAccess,
  signal: AbortSignal,
) => Promise<Attempt>;
