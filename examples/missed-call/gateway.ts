/**
 * A missed call is answered by a text. This program stands between a telephone provider and the service: it hears of missed calls, and is the
 * gateway that texts go through, in both directions. It prints texts instead of sending them.
 */
import { H3, serve } from "h3";
import { createClient } from "crm-client";
import { verifySignature, WebhookError } from "crm-client/webhooks";

const {
  CRM_URL: baseUrl = "http://127.0.0.1:3000",
  CRM_KEY: token = "",
  CRM_LOCATION = "1",
  PORT = "4003",
} = process.env;
/** Of the channel, as `crm channels create` prints them. */
const { CRM_CHANNEL = "", CRM_CHANNEL_SECRET = "", CRM_INBOUND_URL = "", CRM_RECEIPTS_URL = "" } = process.env;
/** Part of the addresses that the provider calls: others do not know it. Real providers sign their requests. */
const { PROVIDER_TOKEN = "" } = process.env;
const crm = createClient({ baseUrl, token, location: Number(CRM_LOCATION) });

const text = "Sorry that we missed your call. How can we help? Answer here, or we call you back.";

interface Call {
  /** The provider's, the same if it reports the call again. */
  readonly id: string;
  readonly from: string;
  readonly status: "answered" | "no-answer" | "busy";
}

interface Text {
  readonly id: number;
  readonly retry: number;
  readonly to: string;
  readonly body: string;
}

/** A real gateway keeps them in a database. */
const sent = new Set<string>();

async function post(url: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  // The provider calls again.
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
}

const isProvider = ({ token: given }: Readonly<Record<string, string>> = {}) =>
  PROVIDER_TOKEN !== "" && given === PROVIDER_TOKEN;

const gateway = new H3()
  // The provider: a call has ended.
  .post("/calls/:token", async ({ req, context }) => {
    if (!isProvider(context.params)) return new Response(null, { status: 404 });
    const { id, from, status } = (await req.json()) as Call;
    if (status === "answered") return new Response(null, { status: 204 });
    const { contact } = await crm.contacts.upsert({ phone: from, source: "Missed call" });
    // Do not disturb.
    if (contact.dnd) return new Response(null, { status: 204 });
    const start = { contact_id: contact.id, channel_id: Number(CRM_CHANNEL), body: text };
    await crm.conversations.start(start, { idempotencyKey: `missed-call-${id}` });
    return new Response(null, { status: 204 });
  })
  // The service: a text is to be sent. The same id and retry are the same text.
  .post("/send", async ({ req }) => {
    const body = await req.text();
    try {
      await verifySignature(body, req.headers.get("x-service-signature"), CRM_CHANNEL_SECRET);
    } catch (error) {
      if (error instanceof WebhookError) return new Response(null, { status: 401 });
      throw error;
    }
    const message = JSON.parse(body) as Text;
    const name = `${message.id}/${message.retry}`;
    if (!sent.has(name)) process.stdout.write(`to ${message.to}: ${message.body}\n`);
    sent.add(name);
    await post(CRM_RECEIPTS_URL, { message_id: message.id, retry: message.retry, status: "delivered" });
    return new Response(null, { status: 200 });
  })
  // The provider: a text has come in.
  .post("/texts/:token", async ({ req, context }) => {
    if (!isProvider(context.params)) return new Response(null, { status: 404 });
    const { id, from, body } = (await req.json()) as { id: string; from: string; body: string };
    await post(CRM_INBOUND_URL, { from, body, external_id: id });
    return new Response(null, { status: 204 });
  });

serve(gateway, { port: Number(PORT), hostname: "localhost" });
