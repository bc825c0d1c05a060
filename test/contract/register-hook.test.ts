/** POST /hooks: registration, and the secret, which is shown once. */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenHook, givenManyHooks, someTarget } from "../support/given-hooks.ts";
import { limits } from "../../src/vocabulary/limits.ts";

const valid = { event: "contact.created", target_url: someTarget };

contract("registerHook", [
  row({
    name: "registers, and returns the secret",
    send: ["POST", "/hooks", valid],
    expect: {
      status: 201,
      exactly: {
        id: expect.any(Number),
        event: "contact.created",
        target_url: someTarget,
        secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
      },
    },
  }),
  row({
    name: "stores no response for an Idempotency-Key: each request creates a webhook",
    given: (world) => world.send("owner", "POST", "/hooks", valid, { "idempotency-key": "once" }),
    send: ["POST", "/hooks", valid, { "idempotency-key": "once" }],
    expect: { status: 201 },
    async afterwards(_world, given, body) {
      expect(body.id).not.toBe(given.body.id);
      expect(body.secret).not.toBe(given.body.secret);
    },
  }),
  row({
    name: "limits it to a location",
    send: (world) => ["POST", "/hooks", { ...valid, location_id: world.north }],
    expect: { status: 201 },
    async afterwards(world, _given, { id }) {
      const { body } = await world.send("owner", "GET", `/hooks?location_id=${world.north}`);
      expect(body.data.find((hook: { id: number }) => hook.id === id).location_id).toBe(world.north);
    },
  }),
  ...[
    ["no.such", /must be the name of an event/],
    ["contact.create", /such as contact\.created\.$/],
    ["ping", /crm hooks test sends it/],
    ["", /is required/],
  ].map(([event, sentence]) =>
    row({
      name: `refuses the event ${JSON.stringify(event)}`,
      send: ["POST", "/hooks", { ...valid, event }],
      expect: { status: 422, body: { errors: { event: [expect.stringMatching(sentence!)] } } },
    }),
  ),
  ...[
    ["http://example.com/", /must be an https/],
    ["https://user:x@192.0.3.1/", /must not carry a user name/],
    ["https://192.0.3.1/#x", /must not carry a fragment/],
    ["https://localhost/", /must be a public address/],
    ["https://10.0.0.1/", /must be a public address/],
    ["https://[::1]:5432/", /must be a public address/],
    ["https://metadata.google.internal/", /must be a public address/],
    ["https://127.0.0.1../", /must have a valid host name/],
    [`https://${"a".repeat(300)}.com/`, /must have a valid host name/],
    ["https://hooks.example.com:0/", /must not use port 0/],
    ["nowhere", /must be a valid https/],
    ["", /is required/],
  ].map(([target, sentence]) =>
    row({
      name: `refuses the target ${JSON.stringify(target)}`,
      send: ["POST", "/hooks", { ...valid, target_url: target }],
      expect: { status: 422, body: { errors: { target_url: [expect.stringMatching(sentence!)] } } },
    }),
  ),
  row({
    name: "reports both fields if both are invalid",
    send: ["POST", "/hooks", { event: "x", target_url: 1 }],
    expect: { status: 422, body: { errors: { event: [expect.any(String)], target_url: [expect.any(String)] } } },
  }),
  row({
    name: "accepts the last one within the limit of a workspace, and another after one was removed",
    as: "stranger",
    async given(world) {
      await givenManyHooks(world, limits.hooks - 1, { location: world.foreign });
      const { id } = await givenHook(world, { as: "stranger" });
      return world.send("stranger", "DELETE", `/hooks/${id}`);
    },
    send: ["POST", "/hooks", valid],
    expect: { status: 201 },
  }),
  row({
    name: "refuses webhooks over the limit, which is counted per workspace",
    as: "stranger",
    async given(world) {
      await givenManyHooks(world, limits.hooks, { location: world.foreign });
      return givenHook(world);
    },
    send: ["POST", "/hooks", valid],
    expect: {
      status: 422,
      body: { errors: { event: [`The workspace has ${limits.hooks} webhooks, the most that it can have.`] } },
    },
  }),
  row({
    name: "refuses credentials without the scope",
    as: "readonly",
    send: ["POST", "/hooks", valid],
    expect: { status: 403, body: { required_scope: "webhooks.write" } },
  }),
]);
