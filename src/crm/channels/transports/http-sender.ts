/** Posts messages to a gateway, signed and under a stable id. A 2xx says only that the gateway accepted the message. */
import { truncate, oneLine } from "../../../kit/text.ts";
import { toTimestamp } from "../../../kit/time/timestamp.ts";
import { OutboundFault } from "../../../outbound/outbound-fault.ts";
import type { FaultKind } from "../../../outbound/outbound-fault.ts";
import type { ReceivedAnswer } from "../../../outbound/exchange.ts";
import { createOutbound } from "../../../outbound/outbound.ts";
import { sign, toSigningKey } from "../../../webhooks/signature.ts";
import type { Attempt, OutgoingMessage, TransportSender } from "./transport.ts";
import type { SenderDeps } from "./transports.ts";

export function openHttpSender({ outside, clock }: SenderDeps): TransportSender {
  const outbound = createOutbound({ guard: outside.targets });
  const send: TransportSender["send"] = async (message, { url, secret }, signal) => {
    const body = JSON.stringify(toBody(message));
    const headers = {
      "Content-Type": "application/json",
      "User-Agent": "crm-messages",
      "Idempotency-Key": String(message.id),
      "X-Service-Signature": sign(body, [toSigningKey(secret ?? "")], clock.now().getTime()),
    };
    try {
      return toAttempt(await outbound.post({ target: url, headers, body, signal }), new URL(url).host);
    } catch (error) {
      if (!(error instanceof OutboundFault)) throw error;
      const reason = `The gateway ${faults[error.kind]}.`;
      return { outcome: "unavailable", reason, isOfChannel: true, detail: detailOf(error, new URL(url).host) };
    }
  };
  return { send, close: () => outbound.close() };
}

function toBody(message: OutgoingMessage): object {
  const answered = message.earlier.findLast(
    ({ direction, externalId }) => direction === "inbound" && externalId !== null,
  );
  return {
    id: message.id,
    retry: message.retry,
    conversation_id: message.conversationId,
    channel: message.channel,
    contact: message.contact,
    from: message.from,
    to: message.to,
    subject: message.subject,
    body: message.body,
    html: message.html,
    attachments: message.attachments.map(({ id, name, contentType, size, url: address }) => ({
      id,
      name,
      content_type: contentType,
      size,
      url: address,
    })),
    in_reply_to: answered?.externalId ?? null,
    created_at: toTimestamp(message.createdAt),
  };
}

const faults: Readonly<Record<FaultKind, string>> = {
  timeout: "did not answer in time",
  dns: "has a name without an address",
  tls: "could not be reached over TLS",
  refused: "could not be reached",
  forbidden_address: "has an address that is not public",
};

/** 408 Request Timeout and 429 Too Many Requests are retried; any other 4xx is a permanent refusal. */
const putOff = new Set([408, 429]);

/** The system's error code, such as ECONNREFUSED, and the host alone: the rest of the URL may be secret. */
function detailOf(error: OutboundFault, host: string): string {
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause)
    if ("code" in cause && typeof cause.code === "string" && !cause.code.startsWith("UND_"))
      return `${cause.code} ${host}`;
  return host;
}

function toAttempt({ status, body }: ReceivedAnswer, host: string): Attempt {
  if (status < 300) return { outcome: "taken" };
  const reason = `The gateway answered ${status}${saidIn(body)}.`;
  if (status >= 400 && status < 500 && !putOff.has(status)) return { outcome: "refused", reason };
  return { outcome: "unavailable", reason, isOfChannel: !putOff.has(status), detail: host };
}

/** In characters. */
const mostSaid = 500;

/** The error of a JSON response: `{"error": "…"}`. */
function saidIn(body: string): string {
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer !== "object" || answer === null || !("error" in answer) || typeof answer.error !== "string")
      return "";
    const text = truncate(oneLine(answer.error), mostSaid);
    return text === "" ? "" : `: ${text.replace(/\.$/, "")}`;
  } catch {
    return "";
  }
}
