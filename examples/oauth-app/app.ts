/**
 * A marketplace app in one file: it is installed by OAuth, keeps its tokens fresh, shows the contacts of the location that was chosen,
 * and hears of new ones by a webhook whose signature it verifies.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { H3, html, redirect, serve } from "h3";

const { CRM_URL = "http://127.0.0.1:3000", CRM_CLIENT_ID = "", CRM_CLIENT_SECRET = "", PORT = "4000" } = process.env;
const redirectUri = `http://localhost:${PORT}/callback`;
/** Where the service reaches this app; of a real one it is public, and https. */
const hookUrl = `http://127.0.0.1:${PORT}/hooks`;

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  /** When the access token ends, in milliseconds. */
  readonly endsAt: number;
}

/** A real app keeps both in a database: the one until the person comes back, the other for each location, encrypted. */
const begun = new Map<string, { readonly verifier: string }>();
let tokens: Tokens | undefined;
let hookSecret = "";
const heard: string[] = [];

/** Asks the token endpoint, with the secret in HTTP Basic. */
async function askForTokens(fields: Record<string, string>): Promise<Tokens> {
  const credentials = Buffer.from(`${CRM_CLIENT_ID}:${CRM_CLIENT_SECRET}`).toString("base64");
  const response = await fetch(`${CRM_URL}/api/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams(fields),
  });
  const answer = (await response.json()) as Tokens & { expires_in: number; error?: string };
  if (!response.ok) throw new Error(`The token endpoint answered ${answer.error}.`);
  return { ...answer, endsAt: Date.now() + answer.expires_in * 1000 };
}

/** Calls the API; a minute before its end the access token is replaced, by one request however many need it. */
let refreshing: Promise<Tokens> | undefined;
// oxlint-disable-next-line typescript/no-explicit-any -- of answers this example reads two fields
async function call(path: string, method = "GET", body?: object): Promise<any> {
  if (tokens !== undefined && tokens.endsAt - Date.now() < 60_000) {
    refreshing ??= askForTokens({ grant_type: "refresh_token", refresh_token: tokens.refresh_token });
    tokens = await refreshing.finally(() => (refreshing = undefined));
  }
  const response = await fetch(`${CRM_URL}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${tokens?.access_token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${text}`);
  return text === "" ? null : JSON.parse(text);
}

/** A secret is shown once, and this process keeps nothing: what it registered earlier goes, so that nothing is told twice. */
async function registerHook(): Promise<void> {
  for (const { id } of (await call("/hooks")).data) await call(`/hooks/${id}`, "DELETE");
  hookSecret = (await call("/hooks", "POST", { event: "contact.created", target_url: hookUrl })).secret;
}

/** Whether the service signed these very bytes, no longer than five minutes ago. */
function isSigned(body: Buffer, header: string): boolean {
  const [, time = "", signatures = ""] = /^t=(\d+),(.+)$/.exec(header) ?? [];
  const expected = createHmac("sha256", hookSecret).update(`${time}.`).update(body).digest();
  const fits = signatures.split(",").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1=/, ""), "hex");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return hookSecret !== "" && fits && Math.abs(Date.now() / 1000 - Number(time)) <= 300;
}

export const app = new H3()
  .get("/", async () => {
    if (tokens === undefined) return html`<a href="/install">Install in crm</a>`;
    const [location] = (await call("/locations")).data;
    const { data } = await call(`/contacts?location_id=${location.id}`);
    return { location: location.name, contacts: data.map((contact: { name: string }) => contact.name), heard };
  })
  .post("/hooks", async ({ req }) => {
    const body = Buffer.from(await req.arrayBuffer());
    if (!isSigned(body, req.headers.get("x-service-signature") ?? "")) return new Response(null, { status: 401 });
    heard.push(JSON.parse(body.toString()).data.name);
    return new Response(null, { status: 204 });
  })
  .get("/install", () => {
    // What comes back is known by its state; who redeems the code proves with the verifier that it was asked for here.
    const [state, verifier] = [randomBytes(16).toString("base64url"), randomBytes(32).toString("base64url")];
    begun.set(state, { verifier });
    const parameters = new URLSearchParams({
      response_type: "code",
      client_id: CRM_CLIENT_ID,
      redirect_uri: redirectUri,
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    return redirect(`${CRM_URL}/oauth/authorize?${parameters}`);
  })
  .get("/callback", async ({ url }) => {
    const { code = "", state = "", error, iss } = Object.fromEntries(url.searchParams);
    const asked = begun.get(state);
    begun.delete(state);
    if (asked === undefined || iss !== CRM_URL) return html`<p>This was not begun here.</p>`;
    if (error !== undefined) return html`<p>It was not allowed. <a href="/install">Try again</a></p>`;
    tokens = await askForTokens({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: asked.verifier,
    });
    await registerHook();
    return redirect("/");
  });

if (import.meta.main) serve(app, { port: Number(PORT), hostname: "127.0.0.1" });
