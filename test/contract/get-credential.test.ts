/** GET /me. */
import { expect } from "vitest";
import { scopeNames } from "../../src/vocabulary/scopes.ts";
import { contract, row } from "../support/contract.ts";
import { givenApp, givenOlga, givenTokens } from "../support/marketplace.ts";
import type { World } from "../support/world.ts";

const idOf = async ({ service }: World, name: string) =>
  (await service.database.rows<{ id: number }>("select id from api_keys where name = ?", [name]))[0]!.id;

const rows = [
  row({
    name: "shows an API key with its access",
    send: ["GET", "/me"],
    expect: { status: 200 },
    async afterwards(world, _given, body) {
      expect(body).toEqual({
        type: "api_key",
        id: await idOf(world, "owner"),
        name: "owner",
        workspace: { id: world.acme, name: "Acme" },
        locations: [
          { id: world.north, name: "North" },
          { id: world.south, name: "South" },
        ],
        scopes: scopeNames,
        user: null,
        app: null,
        rate_limit: { limit: 500, window_seconds: 60 },
      });
    },
  }),
  row({
    name: "shows a limited key only its own locations",
    as: "northOnly",
    send: ["GET", "/me"],
    expect: { status: 200, body: ({ north }) => ({ locations: [{ id: north, name: "North" }] }) },
  }),
  row({
    name: "needs no scope",
    as: "noScopes",
    send: ["GET", "/me"],
    expect: { status: 200, body: { scopes: [] } },
  }),
  row({
    name: "shows an app with the person who installed it",
    given: async (world) => {
      const olga = await givenOlga(world);
      const app = await givenApp(world, { scopes: ["contacts.readonly"] });
      const { access_token: key } = await givenTokens(world, olga, app, world.north);
      return { app, key };
    },
    send: (_world, { key }) => ["GET", "/me", undefined, { authorization: `Bearer ${key}` }],
    expect: {
      status: 200,
      body: (world, { app }) => ({
        type: "app",
        id: app.id,
        name: app.name,
        workspace: { id: world.acme, name: "Acme" },
        locations: [{ id: world.north, name: "North" }],
        scopes: ["contacts.readonly"],
        user: { id: world.users.olga, name: "Olga" },
        app: { client_id: app.client_id, name: app.name },
      }),
    },
  }),
];

contract("getCredential", rows, { CRM_RATE_LIMIT: "500/60s" });
