/** What a transport is given to send, and its results. */

/** An outbound message, as transports need it. */
export interface OutgoingMessage {
  /** The same in every attempt. */
  readonly id: number;
  readonly conversationId: number;
  /** How often it was retried after it had failed. */
  readonly retry: number;
  readonly channel: { readonly id: number; readonly kind: string; readonly name: string };
  readonly from: string | null;
  readonly to: string;
  /** The recipient; null for one that is no contact. */
  readonly contact: { readonly id: number; readonly name: string } | null;
  /** The address for replies, if it is not `from`. */
  readonly replyTo: string | null;
  readonly subject: string | null;
  readonly body: string | null;
  readonly html: string | null;
  /** Whether a workflow sends it: autoresponders are asked not to reply. */
  readonly isAutomatic: boolean;
  /** Where its recipient stops messages of workflows; null for one that people send. */
  readonly unsubscribeUrl: string | null;
  /** The Message-ID of an e-mail, the same in every attempt; null in a message of another kind. */
  readonly messageId: string | null;
  readonly attachments: readonly OutgoingAttachment[];
  /** Milliseconds. */
  readonly createdAt: number;
  /** The earlier messages of the conversation, oldest first. */
  readonly earlier: readonly EarlierMessage[];
}

/** A file of an outbound message. */
export interface OutgoingAttachment {
  readonly id: number;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  /** Valid for an hour. */
  readonly url: string;
  /** Reads the file; each attempt anew. */
  open(): AsyncIterable<Uint8Array>;
}

export interface EarlierMessage {
  readonly id: number;
  readonly direction: "inbound" | "outbound";
  /** The id that the provider gave it. */
  readonly externalId: string | null;
  readonly messageId: string | null;
}

/**
 * The result of an attempt: the message was accepted; or it was refused permanently; or the attempt failed and may be retried.
 * `isOfChannel`: any other message of the channel would have failed too. Reasons are sentences for people.
 */
export type Attempt =
  | { readonly outcome: "taken" }
  | { readonly outcome: "refused"; readonly reason: string }
  | {
      readonly outcome: "unavailable";
      readonly reason: string;
      readonly isOfChannel: boolean;
      /** The host and the system's error code, for operators alone; null if there is none. */
      readonly detail?: string | null;
    };

/** Why an attempt failed, with the detail that operators see. */
export function toOperatorReason(attempt: Exclude<Attempt, { readonly outcome: "taken" }>): string {
  const detail = attempt.outcome === "unavailable" ? (attempt.detail ?? null) : null;
  return detail === null ? attempt.reason : `${attempt.reason.replace(/\.$/, "")} (${detail}).`;
}

/** The URL and the unsealed secret of a channel's row. */
export interface TransportAccess {
  readonly url: string;
  readonly secret: string | null;
}

/** The connections of a transport, for as long as messages are sent. */
export interface TransportSender {
  /** Resolves within about a minute. Throws the reason of `signal` alone. */
  send(message: OutgoingMessage, access: TransportAccess, signal: AbortSignal): Promise<Attempt>;
  /** Closes the connections that are kept open. */
  close(): Promise<void>;
}
