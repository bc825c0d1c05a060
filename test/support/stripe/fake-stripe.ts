/** A fake Stripe on loopback: the API with idempotency keys, its pages, signed webhooks, and fault injection. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { Stripe } from "stripe";
import type { Clock } from "../../../src/kit/time/clock.ts";
import { answer } from "./api.ts";
import type { Parameters } from "./api.ts";
import { Books, Refused } from "./books.ts";
import { deliveryFaults, effectOf } from "./faults.ts";
import type { DeliveryFault, Fault } from "./faults.ts";
import { servePage } from "./pages.ts";

export interface Asked {
  readonly method: string;
  /** Below /v1/. */
  readonly path: string;
  readonly key: string | undefined;
}

export interface FakeStripe {
  readonly books: Books;
  readonly url: string;
  /** The settings of a service that calls this fake. */
  readonly environment: Readonly<Record<string, string>>;
  /** The ids of events that the service has accepted. */
  readonly accepted: Set<string>;
  /** Every call that was received. */
  readonly asked: Asked[];
  /** The fault to inject into a call; `ok` by default. A call is as slow as its promise. */
  fault: (asked: Asked) => Fault | Promise<Fault>;
  /** How pending events are delivered; all, in order and once by default. */
  delivery: DeliveryFault;
  /** Delivers events to the webhook endpoint at `url`, in this order; resolves to the statuses of the responses. */
  deliver(url: string, events: readonly Stripe.Event[]): Promise<number[]>;
  /** Delivers the pending events. Those that are not answered with a 2xx stay pending. */
  deliverAll(url: string): Promise<number[]>;
  close(): Promise<void>;
}

/** A charge without a checkout or subscription, for tests that need only the charge. */
export const specimenCharge = { id: "ch_specimen", transfer: "tr_specimen", amount: 1_000_000 } as const;

export function addSpecimenCharge({ charges, transfers }: Books): void {
  const { id, transfer, amount } = specimenCharge;
  const destination = "acct_specimen";
  charges.set(id, {
    id,
    amount,
    amount_refunded: 0,
    created: 0,
    transfer,
    transfer_data: { amount: null, destination },
  });
  transfers.set(transfer, { id: transfer, amount, amount_reversed: 0, created: 0, destination });
}

/** Stripe forgets idempotency keys after a day at the earliest. */
const keySeconds = 86_400;

interface StoredAnswer {
  readonly request: string;
  readonly at: number;
  readonly status: number;
  readonly body: string;
}

const testSecrets = { key: "sk_test_fake", webhook: "whsec_fake" };

export async function startFakeStripe(clock: Clock, { port = 0 } = {}): Promise<FakeStripe> {
  const books = new Books(clock);
  const answers = new Map<string, StoredAnswer>();
  const asked: Asked[] = [];
  const accepted = new Set<string>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET" } = request;
    const url = new URL(request.url ?? "/", "http://stripe");
    const body = await readText(request);
    if (!url.pathname.startsWith("/v1/")) return servePage(books, { method, url, body }, response);
    const call: Asked = { method, path: url.pathname.slice(4), key: request.headers["idempotency-key"] as string };
    asked.push(call);
    if (request.headers.authorization !== `Bearer ${testSecrets.key}`)
      return send(response, 401, toError("api_key_invalid", "Invalid API Key."));
    const fault = effectOf(await fake.fault(call));
    const done = fault?.takesEffect === false ? null : carryOut(call, method === "GET" ? url.search.slice(1) : body);
    if (fault === null) return send(response, done!.status, done!.body);
    if (fault.status === null) return void request.socket.destroy();
    // The package retries unless this header forbids it.
    if (fault.isFinal) response.setHeader("stripe-should-retry", "false");
    send(response, fault.status, toError("fault", "Try again later."));
  }

  /** Idempotency keys, for a day: a repeated call gets the stored response, a different call with the same key is refused. */
  function carryOut({ method, path, key }: Asked, form: string): { status: number; body: string } {
    const request = `${method} ${path} ${form}`;
    const stored = method === "POST" && key !== undefined ? answers.get(key) : undefined;
    const earlier = stored !== undefined && books.now < stored.at + keySeconds ? stored : undefined;
    if (earlier !== undefined && earlier.request !== request)
      return {
        status: 400,
        body: toError(
          "idempotency_error",
          "Keys for idempotent requests can only be used with the same parameters.",
          "idempotency_error",
        ),
      };
    if (earlier !== undefined) return earlier;
    const done = attempt(method, path, form);
    if (method === "POST" && key !== undefined) answers.set(key, { request, at: books.now, ...done });
    return done;
  }

  function attempt(method: string, path: string, form: string): { status: number; body: string } {
    try {
      return { status: 200, body: JSON.stringify(answer(books, method, path, parseForm(form))) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: error.status, body: toError(error.code, error.message) };
    }
  }

  const server = createServer((request, response) => void serve(request, response));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  books.pagesAt = url;

  const fake: FakeStripe = {
    books,
    url,
    environment: {
      CRM_STRIPE_SECRET_KEY: testSecrets.key,
      CRM_STRIPE_WEBHOOK_SECRET: testSecrets.webhook,
      CRM_STRIPE_API_URL: url,
    },
    accepted,
    asked,
    fault: () => "ok",
    delivery: deliveryFaults.sent,
    async deliver(to, events) {
      const statuses: number[] = [];
      for (const event of events) {
        const payload = JSON.stringify(event);
        const timestamp = Math.floor(clock.now().getTime() / 1000);
        const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: testSecrets.webhook, timestamp });
        const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": signature };
        const request = { method: "POST", body: payload, headers };
        // 0: the service cannot be reached.
        const status = await fetch(`${to}/api/billing/stripe`, request).then(
          (response) => response.status,
          () => 0,
        );
        if (status >= 200 && status < 300) accepted.add(event.id);
        statuses.push(status);
      }
      return statuses;
    },
    async deliverAll(to) {
      const { now, later } = fake.delivery(books.unsent.splice(0));
      const statuses = await fake.deliver(to, now);
      const refused = new Set(now).difference(new Set(now.filter(({ id }) => accepted.has(id))));
      books.unsent.unshift(...refused, ...later);
      return statuses;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return fake;
}

function toError(code: string, message: string, type = "invalid_request_error"): string {
  return JSON.stringify({ error: { type, code, message } });
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json", "request-id": "req_fake" }).end(body);
}

/** `a[b][0]=c` → { a: { b: { 0: "c" } } } */
function parseForm(form: string): Parameters {
  const parsed: Parameters = {};
  for (const [name, value] of new URLSearchParams(form)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== "");
    let into = parsed;
    for (const part of path.slice(0, -1)) into = (into[part] ??= {}) as Parameters;
    into[path.at(-1)!] = value;
  }
  return parsed;
}
