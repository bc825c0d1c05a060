/** Validates a payment report, in the order of the specification ("POST /api/oauth/billing/webhook"). */
import { isObject } from "../../../kit/json/json-object.ts";
import { toId } from "../../../kit/input/id.ts";
import { toCents } from "../../../kit/input/money.ts";
import { readTimestamp } from "../../../kit/time/read-timestamp.ts";
import { isLongerThan } from "../../../kit/text.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import type { RefusalCode } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { installTypes, paymentStatuses, paymentTypes } from "../../../vocabulary/states.ts";
import type { InstallType, PaymentStatus, PaymentType } from "../../../vocabulary/states.ts";

export interface Report {
  /** The kind of payer: a location or a company. */
  readonly installType: InstallType;
  /** The payer's id; undefined if no record can have it. */
  readonly targetId: number | undefined;
  readonly amountCents: number;
  readonly status: PaymentStatus;
  readonly paymentType: PaymentType;
  readonly paymentId: string | null;
  readonly subscriptionId: string | null;
  /** When the payment happened; null if the report names no time. */
  readonly occurredAt: Date | null;
}

/** How far the app's clock may be ahead, in milliseconds. */
const mostAhead = 5 * 60_000;

/** Refuses the first invalid field. `clientId` comes from the headers. */
export function readReport(body: unknown, clientId: string, now: Date): Report {
  const given: Readonly<Record<string, unknown>> = isObject(body) ? body : {};
  if (given["clientId"] !== clientId) throw new Refusal("invalid_client");
  const installType = oneOf(installTypes, given["authType"], "invalid_auth_type");
  const amountCents = toCents(given["amount"]);
  if (amountCents === undefined) throw new Refusal("invalid_amount");
  const status = oneOf(paymentStatuses, given["status"], "invalid_status");
  const paymentType = oneOf(paymentTypes, given["paymentType"], "invalid_payment_type");
  const paymentId = readText(given["paymentId"], "invalid_payment_id");
  if (paymentId === null && paymentType === "one_time") throw new Refusal("payment_id_required");
  const target = given[`${installType}Id`];
  if (!isGiven(target)) throw new Refusal(`${installType}_id_required`);
  const subscriptionId = readText(given["subscriptionId"], "invalid_subscription_id");
  const occurredAt = readOccurredAt(given["occurredAt"], now);
  return {
    installType,
    targetId: toId(target),
    amountCents,
    status,
    paymentType,
    paymentId,
    subscriptionId,
    occurredAt,
  };
}

function oneOf<Word extends string>(words: readonly Word[], given: unknown, code: RefusalCode): Word {
  const word = words.find((one) => one === given);
  if (word === undefined) throw new Refusal(code);
  return word;
}

function readOccurredAt(given: unknown, now: Date): Date | null {
  if (given === undefined || given === null || given === "") return null;
  const time = typeof given === "string" ? readTimestamp(given.trim()) : undefined;
  if (time === undefined || time.getTime() > now.getTime() + mostAhead) throw new Refusal("invalid_occurred_at");
  return time;
}

function isGiven(id: unknown): boolean {
  return typeof id === "number" || (typeof id === "string" && id.trim() !== "");
}

/** The app's own id; null if absent. An unsafe integer is refused: after JSON parsing it could be the id of another payment. */
function readText(given: unknown, code: RefusalCode): string | null {
  if (given === undefined || given === null) return null;
  const text = Number.isSafeInteger(given) ? String(given) : given;
  if (typeof text !== "string") throw new Refusal(code);
  const trimmed = text.trim();
  // PostgreSQL cannot store lone surrogates and NUL in a text.
  if (isLongerThan(trimmed, limits.billing.paymentId) || trimmed.includes("\0") || !trimmed.isWellFormed()) {
    throw new Refusal(code);
  }
  return trimmed === "" ? null : trimmed;
}
