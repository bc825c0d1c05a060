/** A service with users, locations and apps for the tests of pages, and every page by name. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { makeInvitationLink, makeResetLink } from "../../src/tenancy/invitations/account-link.service.ts";
import { makeSetupLink, placeholderEmail } from "../../src/tenancy/invitations/setup-link.service.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import { createWorkspace } from "../../src/tenancy/workspaces/workspace.service.ts";
import { authorizePath, givenApp, givenOlga, givenPasswords, givenTokens } from "./marketplace.ts";
import type { TestApp } from "./marketplace.ts";
import { unsubscribeUrl } from "../../src/crm/conversations/sending/unsubscribe-url.ts";
import { givenConversation } from "./given.ts";
import { createWorld } from "./world.ts";
import type { World } from "./world.ts";

/** Olga owns Acme, Nora is a member of it, Otto owns a workspace of forty locations. */
export type Looker = "nobody" | "olga" | "nora" | "otto";

export interface PageGround {
  readonly world: World;
  readonly app: TestApp;
  /** Where the app listens, which people are sent back to. */
  readonly appHost: string;
  /** The addresses of all pages, by what they show, and who has to be signed in to see it. */
  readonly pages: Readonly<Record<string, { readonly path: string; readonly as: Looker }>>;
  invitation(): Promise<string>;
  /** A new setup link, as a first start prints it. */
  setup(): Promise<string>;
  /** Calls everything and everyone by one name, past the rules for names: it may be older than they are. */
  rename(name: string): Promise<void>;
  close(): Promise<void>;
}

export const emails = { olga: "olga@acme.example", nora: "nora@acme.example", otto: "otto@other.example" };
export async function createPageGround(): Promise<PageGround> {
  const world = await createWorld("sqlite", {
    // No mail is sent here: the page that offers one is shown.
    environment: { CRM_SMTP_URL: "smtp://127.0.0.1:1", CRM_MAIL_FROM: "crm@acme.example" },
    quiet: true,
  });
  const { service, acme } = world;
  const inAcme = service.inWorkspace(acme);
  const other = await service.database.rows<{ id: number }>("select workspace_id as id from locations where id = ?", [
    world.foreign,
  ]);
  const inOther = service.inWorkspace(other[0]!.id);
  const cities = ["Portland", "Vancouver", "Bend", "Salem", "Eugene", "Astoria", "Medford", "Corvallis"];
  for (let n = 0; n < 39; n++) {
    const name = `${cities[n % cities.length]} ${n + 1}`;
    await inOther.change((change) =>
      openLocation(change, { name, address1: `${n + 1} Main St`, city: "Portland", state: "OR" }),
    );
  }
  await inAcme.change((change) => openLocation(change, { name: "Bend, OR", address1: "63 NW Greenwood Ave" }));
  const listening = createServer((_request, response) => response.end("The app")).listen(0, "127.0.0.1");
  await once(listening, "listening");
  const appHost = `127.0.0.1:${(listening.address() as AddressInfo).port}`;
  const app = await givenApp(world, {
    redirectUris: [`http://${appHost}/callback`],
    scopes: ["contacts.readonly", "contacts.write", "opportunities.readonly", "conversations.readonly"],
  });
  const olga = await givenOlga(world);
  await givenPasswords(world);
  await givenTokens(world, olga, app, world.north);
  const paid = await givenApp(world, { name: "Dialer", paymentPage: "https://pay.dialer.example/start" });
  const asked = await olga.submit(await olga.get(authorizePath(paid)), {
    location_id: String(world.north),
    answer: "allow",
  });
  const returnUrl = new URL(new URL(asked.location).searchParams.get("return_url")!);

  let serial = 0;
  const path = (url: string) => url.slice(world.url.length);
  const invitation = async () => {
    const email = `jonas.${(serial += 1)}@acme.example`;
    return inAcme.change(async (change) => {
      const user = await inviteUser(change, { email, name: null, role: "manager", locationIds: [world.north] });
      return path((await makeInvitationLink(change, user)).url);
    });
  };
  const accepted = await service.inWorkspace(world.other).change(async (change) => {
    const user = await inviteUser(change, { email: emails.olga, name: null, role: "member", locationIds: null });
    return path((await makeInvitationLink(change, user)).url);
  });
  let first: Awaited<ReturnType<typeof start>> | undefined;
  async function start() {
    const { id } = await service.operator.change((change) => createWorkspace(change, { name: "My workspace" }));
    const caller = service.inWorkspace(id);
    const owner = await caller.change(async (change) => {
      await openLocation(change, { name: "Main location" });
      return inviteUser(change, { email: placeholderEmail, name: null, role: "owner", locationIds: null });
    });
    return () => caller.change((change) => makeSetupLink(change, owner.id));
  }
  const setup = async (): Promise<string> => {
    // One that was used has set up the workspace that it was for.
    const url = (await first?.()) ?? (await (first = await start())());
    return path(url!);
  };
  const { url } = await inAcme.change((change) => makeResetLink(change, emails.olga));
  const consent = authorizePath(app);
  const { message } = await givenConversation(world, { body: "Good morning!" });
  return {
    world,
    app,
    appHost,
    pages: {
      "start page": { path: "/", as: "nobody" },
      "sign-in": { path: `/sign-in?continue=${encodeURIComponent(consent)}`, as: "nobody" },
      "forgotten password": { path: "/forgotten-password", as: "nobody" },
      invitation: { path: await invitation(), as: "nobody" },
      "invitation of a person with a password": { path: accepted, as: "nobody" },
      "… who is signed in": { path: accepted, as: "olga" },
      "… of another person": { path: accepted, as: "nora" },
      reset: { path: path(url), as: "nobody" },
      setup: { path: await setup(), as: "nobody" },
      "link spent": { path: "/reset/x", as: "nobody" },
      "untrusted link": { path: authorizePath(app, { redirect_uri: "https://evil.example/" }), as: "nobody" },
      consent: { path: consent, as: "olga" },
      "consent of 40": { path: consent, as: "otto" },
      "consent of a member": { path: consent, as: "nora" },
      "consent with a payment": { path: authorizePath(paid), as: "olga" },
      "nothing to finish": { path: "/oauth/installs/x", as: "olga" },
      "install of somebody else": { path: returnUrl.pathname, as: "nora" },
      home: { path: "/", as: "olga" },
      "home of a member": { path: "/", as: "nora" },
      "nothing here": { path: "/singin", as: "nobody" },
      uninstall: { path: "/apps/1/uninstall", as: "olga" },
      account: { path: "/me", as: "olga" },
      sessions: { path: "/me/sessions", as: "olga" },
      unsubscribe: { path: path(unsubscribeUrl(service.tools, message.id)), as: "nobody" },
      "set up two factors": { path: "/me/two-factor", as: "olga" },
    },
    invitation,
    setup,
    rename: (name) =>
      service.database.transaction(async ({ rows }) => {
        for (const table of ["workspaces", "locations", "apps", "users"]) {
          await rows(`update ${table} set name = ?`, [name]);
        }
        await rows("update locations set address1 = ?, city = ?", [name, name]);
        await rows("update app_installs set user_name = ?", [name]);
        await rows("update users set email = ?", [`${name}@acme.example`]);
      }),
    async close() {
      listening.closeAllConnections();
      listening.close();
      await world.close();
    },
  };
}
