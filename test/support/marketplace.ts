/** Apps and the people who let them in, over the very pages and addresses that a browser and an app use. */
import { createApp, publishApp } from "../../src/marketplace/apps/app.service.ts";
import { hashPassword } from "../../src/tenancy/passwords/password.ts";
import type { InstallType } from "../../src/vocabulary/states.ts";
import { appScopeNames } from "../../src/vocabulary/scopes.ts";
import type { ScopeName } from "../../src/vocabulary/scopes.ts";
import { letJoin } from "./given-people.ts";
import { createPerson, password } from "./person.ts";
import type { Person } from "./person.ts";
import type { World } from "./world.ts";

export interface TestApp {
  readonly id: number;
  readonly name: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirectUri: string;
}

export const callback = "https://app.example.com/callback";

interface AppOptions {
  readonly scopes?: readonly ScopeName[];
  readonly redirectUris?: readonly string[];
  /** Without it a draft of Acme. */
  readonly isPublished?: boolean;
  readonly name?: string;
  /** External billing, with this payment page. */
  readonly paymentPage?: string;
  readonly installType?: InstallType;
}

export async function givenApp(
  { service, acme }: Pick<World, "service" | "acme">,
  {
    scopes = appScopeNames,
    redirectUris = [callback],
    isPublished = true,
    name = "Ledgerline",
    ...options
  }: AppOptions = {},
): Promise<TestApp> {
  const caller = service.inWorkspace(acme);
  const { paymentPage, installType: install_type } = options;
  const billing = paymentPage === undefined ? {} : { billing: "external" as const, payment_page_url: paymentPage };
  const app = await caller.change((change) =>
    createApp(change, { name, redirect_uris: [...redirectUris], scopes: [...scopes], install_type, ...billing }),
  );
  if (isPublished) await caller.change((change) => publishApp(change, app.id));
  return { ...app, redirectUri: redirectUris[0]! };
}

let hash: string | undefined;

/** Gives all people of the world the same password. */
export async function givenPasswords({ service, users }: Pick<World, "service" | "users">): Promise<void> {
  hash ??= await hashPassword(password);
  for (const id of Object.values(users)) {
    await letJoin(service, id);
    await service.database.transaction(({ rows }) =>
      rows("update users set password_hash = ? where id = ?", [hash!, id]),
    );
  }
}

/** Olga, who owns Acme, signed in. */
export async function givenOlga(world: Pick<World, "url" | "service" | "users" | "acme">): Promise<Person> {
  await givenPasswords(world);
  const olga = createPerson(world.url);
  await olga.signIn("olga@acme.example");
  return olga;
}

/** An install of the app at a location, as a consent of Olga's leaves it. */
export async function givenInstall(
  { service, users, clock }: Pick<World, "service" | "users" | "clock">,
  appId: number,
  locationId: number,
): Promise<number> {
  const text = `insert into app_installs (app_id, location_id, user_id, user_name, scopes, installed_at)
    values (?, ?, ?, 'Olga', '["contacts.readonly"]', ?) returning id`;
  const values = [appId, locationId, users.olga, clock.now()];
  const [install] = await service.database.transaction((change) => change.rows<{ id: number }>(text, values));
  return install!.id;
}

/** The address at which `app` asks; what is undefined is left out. */
export function authorizePath(app: TestApp, parameters: Record<string, string | undefined> = {}): string {
  const all = { response_type: "code", client_id: app.client_id, redirect_uri: app.redirectUri, ...parameters };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
}

/** A code for `app` at a location, as the person gives it. */
export async function givenCode(
  person: Person,
  app: TestApp,
  locationId: number,
  parameters: Record<string, string | undefined> = {},
): Promise<string> {
  const page = await person.get(authorizePath(app, parameters));
  const { status, location, text } = await person.submit(page, { location_id: String(locationId), answer: "allow" });
  const code = status === 303 ? new URL(location).searchParams.get("code") : null;
  if (code === null) throw new Error(`consent was answered ${status} ${location}: ${text}`);
  return code;
}

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- looked into freely
  readonly body: any;
}

/** Asks the token endpoint; undefined fields are left out. */
export async function askToken(
  url: string,
  fields: Record<string, string | undefined> | URLSearchParams,
  { path = "/api/oauth/token", headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<TokenAnswer> {
  const given = fields instanceof URLSearchParams ? fields : toForm(fields);
  const response = await fetch(url + path, { method: "POST", body: given, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === "" ? null : JSON.parse(text) };
}

function toForm(fields: Record<string, string | undefined>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The fields with which `app` redeems a code. */
export function redeeming({ client_id, client_secret, redirectUri }: TestApp, code: string) {
  return { grant_type: "authorization_code", client_id, client_secret, redirect_uri: redirectUri, code };
}

export function refreshing({ client_id, client_secret }: Pick<TestApp, "client_id" | "client_secret">, token: string) {
  return { grant_type: "refresh_token", client_id, client_secret, refresh_token: token };
}

/** Tokens of `app` at a location, through the whole flow. */
export async function givenTokens(
  { url }: Pick<World, "url">,
  person: Person,
  app: TestApp,
  locationId: number,
  parameters: Record<string, string | undefined> = {},
): Promise<{ access_token: string; refresh_token: string; scope: string }> {
  const code = await givenCode(person, app, locationId, parameters);
  const { status, body, text } = await askToken(url, redeeming(app, code));
  if (status !== 200) throw new Error(`redeeming was answered ${status}: ${text}`);
  return body;
}
