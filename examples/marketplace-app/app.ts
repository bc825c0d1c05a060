/**
 * A paid app for the marketplace: it is installed by OAuth and paid on its own page, hears of new contacts by a webhook, and plans a welcome
 * call for each, in the name of the person who installed it.
 */
import { H3, html, redirect, serve } from "h3";
import { createClient, CrmError } from "crm-client";
import type { Crm } from "crm-client";
import { authorizationUrl, createTokenStore, exchangeCode } from "crm-client/oauth";
import type { Authorization, Tokens } from "crm-client/oauth";
import { verify, WebhookError } from "crm-client/webhooks";
import type { EventsByName } from "crm-client/webhooks";

const { CRM_URL: baseUrl = "http://127.0.0.1:3000", PORT = "4000" } = process.env;
const { CRM_CLIENT_ID: clientId = "", CRM_CLIENT_SECRET: clientSecret = "" } = process.env;
const here = `http://localhost:${PORT}`;
/** Where the service reaches this app; of a real one it is public, and https. */
const hookUrl = `http://127.0.0.1:${PORT}/hooks`;
const oauth = { baseUrl, clientId, clientSecret, redirectUri: `${here}/callback` };
const oneDay = 86_400_000;

interface Install {
  tokens: Tokens;
  readonly crm: Crm;
  readonly hookSecret: string;
}

/** A real app keeps all of them in a database, with tokens and secrets encrypted. */
const begun = new Map<string, Authorization>();
const installs = new Map<number, Install>();
const paid = new Set<string>();
const processed = new Set<number>();
const welcomed: string[] = [];

/** A client whose token is renewed where it is kept. */
async function finishInstall(tokens: Tokens): Promise<void> {
  let kept = tokens;
  const save = (renewed: Tokens) => {
    kept = renewed;
    const install = installs.get(renewed.locationId);
    if (install !== undefined) install.tokens = renewed;
  };
  const token = createTokenStore(oauth, { load: () => kept, save });
  const crm = createClient({ baseUrl, token, location: tokens.locationId });
  // A secret is shown once, and this process keeps nothing: what an earlier one registered goes.
  for await (const hook of crm.hooks.all()) await crm.hooks.remove(hook.id);
  const { secret } = await crm.hooks.register({ event: "contact.created", target_url: hookUrl });
  installs.set(tokens.locationId, { tokens, crm, hookSecret: secret });
}

interface Asked {
  readonly locationId: string;
  readonly returnUrl: string;
}

/** What the service asks for payment with. A link of others is refused: it could send people anywhere. */
function readAsked({ searchParams }: URL): Asked | undefined {
  const [locationId, returnUrl] = [searchParams.get("locationId") ?? "", searchParams.get("return_url") ?? ""];
  const isOurs = searchParams.get("clientId") === clientId && returnUrl.startsWith(`${baseUrl}/oauth/installs/`);
  return isOurs && /^\d+$/.test(locationId) ? { locationId, returnUrl } : undefined;
}

/** With a payment id a report can be sent again: the same one counts once. */
async function reportPayment({ locationId }: Asked, status: "COMPLETED" | "FAILED"): Promise<void> {
  const headers = { "x-service-client-key": clientId, "x-service-client-secret": clientSecret };
  const month = new Date().toISOString().slice(0, 7);
  const payment = { amount: 29, status, paymentType: "recurring", paymentId: `${locationId}-${month}` } as const;
  const report = { clientId, authType: "location", locationId, ...payment } as const;
  await createClient({ baseUrl }).billing.reportPayment(report, { headers, repeatable: true });
  if (status === "COMPLETED") paid.add(locationId);
  else paid.delete(locationId);
}

const foreign = () => html`<p>This link is not one of ours.</p>`;

const app = new H3()
  .get("/", () => {
    if (installs.size === 0) return html`<a href="/install">Install in crm</a>`;
    return { installedAt: [...installs.keys()], paid: [...paid], welcomed };
  })
  .get("/install", async () => {
    const authorization = await authorizationUrl(oauth);
    // A real app keeps it in a cookie of this browser.
    begun.set(authorization.state, authorization);
    return redirect(authorization.url);
  })
  .get("/pay", ({ url }) => {
    const asked = readAsked(url);
    if (asked === undefined) return foreign();
    return html`<title>Pay for Welcome calls</title>
      <h1>Welcome calls cost USD 29.00 a month</h1>
      <form method="post"><button>Pay</button></form>
      <p><a href="${asked.returnUrl}">Not now</a></p>`;
  })
  .post("/pay", async ({ url }) => {
    const asked = readAsked(url);
    if (asked === undefined) return foreign();
    await reportPayment(asked, "COMPLETED");
    return redirect(asked.returnUrl, 303);
  })
  .get("/callback", async ({ url }) => {
    const { state, codeVerifier = "" } = begun.get(url.searchParams.get("state") ?? "") ?? {};
    if (state !== undefined) begun.delete(state);
    try {
      await finishInstall(await exchangeCode(oauth, { url, state, codeVerifier }));
      return redirect("/");
    } catch (error) {
      if (!(error instanceof CrmError)) throw error;
      return html`<p>It was not installed: ${error.detail} <a href="/install">Try again</a></p>`;
    }
  })
  .post("/hooks", async ({ req }) => {
    const secrets = [...installs.values()].map(({ hookSecret }) => hookSecret);
    if (secrets.length === 0) return new Response(null, { status: 401 });
    try {
      const event = await verify(await req.arrayBuffer(), req.headers.get("x-service-signature"), secrets);
      // A delivery may arrive more than once.
      if (event.event === "contact.created" && !processed.has(event.id)) {
        if (paid.has(String(event.data.location_id))) await planWelcome(event);
        processed.add(event.id);
      }
      return new Response(null, { status: 204 });
    } catch (error) {
      if (error instanceof WebhookError) return new Response(null, { status: 401 });
      // Anything else is answered with 500, and delivered again.
      throw error;
    }
  });

/** Done once, also if the delivery is repeated after this process was killed. */
async function planWelcome({ created_at, data }: EventsByName["contact.created"]): Promise<void> {
  const install = installs.get(data.location_id ?? 0);
  if (install === undefined) return;
  const due_at = new Date(Date.parse(created_at) + oneDay).toISOString();
  const task = { contact_id: data.id, title: `Welcome ${data.name}`, due_at };
  await install.crm.tasks.create(task, { idempotencyKey: `welcome-${data.id}` });
  welcomed.push(data.name);
}

serve(app, { port: Number(PORT), hostname: "localhost" });
