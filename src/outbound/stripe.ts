/** The connection to Stripe, the payment processor of platform billing: one client per process, loaded lazily with the first call. */
import type { Stripe } from "stripe";
import type { Settings } from "../../config/settings.ts";
import { Refusal } from "../vocabulary/errors.ts";

export interface StripeConnection {
  /** Opens the client. Use it through `callStripe`. */
  client(): Promise<Stripe>;
  /** Whether the key is for live mode; objects of the other mode are ignored. */
  readonly isLive: boolean;
  readonly webhookSecret: string | null;
  /** The CSP sources of Stripe's pages, for `form-action`. */
  readonly pageSources: string;
}

/** The retries that the package makes. */
const maxNetworkRetries = 2;

type StripeSettings = Pick<Settings, "stripeSecretKey" | "stripeWebhookSecret" | "stripeApiUrl">;

/** Null without a key: platform billing is unavailable. `timeout` is that of one attempt, in milliseconds. */
export function openStripe(
  { stripeSecretKey: key, stripeWebhookSecret: webhookSecret, stripeApiUrl }: StripeSettings,
  { timeout = 10_000 } = {},
): StripeConnection | null {
  if (key === null) return null;
  let opening: Promise<Stripe> | undefined;
  const open = async () => {
    const { Stripe } = await import("stripe");
    return new Stripe(key, { timeout, maxNetworkRetries, telemetry: false, ...(stripeApiUrl && toHost(stripeApiUrl)) });
  };
  return {
    client: () => (opening ??= open()),
    isLive: /^[rs]k_live_/.test(key),
    webhookSecret,
    pageSources: stripeApiUrl?.startsWith("http:") ? `https: ${new URL(stripeApiUrl).origin}` : "https:",
  };
}

function toHost(address: string) {
  const { hostname: host, port, protocol } = new URL(address);
  const isPlain = protocol === "http:";
  return {
    host,
    port: port === "" ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? "http" : "https",
  } as const;
}

/** A call that Stripe refused permanently: a retry would be refused again. */
export class StripeRefusal extends Error {
  /** Stripe's error code, such as `resource_missing`. */
  readonly code: string | null;
  constructor(message: string, code: string | null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The fields of the package's errors. */
interface StripeFault {
  readonly type: string;
  readonly statusCode?: number;
  readonly code?: string;
  readonly message: string;
}

/**
 * Makes a call; never inside a transaction. Throws a StripeRefusal for a permanent error, and refuses `processor_unavailable` for a transient one:
 * Stripe is down, slow or rate-limiting, or the key is wrong.
 */
export async function callStripe<Result>(
  connection: Pick<StripeConnection, "client">,
  call: (stripe: Stripe) => Promise<Result>,
): Promise<Result> {
  const stripe = await connection.client();
  try {
    return await call(stripe);
  } catch (error) {
    if (!isFault(error)) throw error;
    if (isForGood(error)) throw new StripeRefusal(error.message, error.code ?? null, { cause: error });
    throw new Refusal("processor_unavailable", {}, { cause: error });
  }
}

function isFault(error: unknown): error is StripeFault {
  return error instanceof Error && "type" in error && String(error.type).startsWith("Stripe");
}

/** Retryable client errors: another key resolves 401 and 403, waiting resolves 409 and 429. */
const mendable = new Set([401, 403, 409, 429]);

function isForGood({ statusCode }: StripeFault): boolean {
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500 && !mendable.has(statusCode);
}
