/** PATCH /hooks/{id}: events, target and status; another target needs every scope that the webhook shows. */
import { expect } from "vitest";
import { rightsOf } from "../../src/operation/roles.ts";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import type { ScopeName } from "../../src/vocabulary/scopes.ts";
import { contract, row } from "../support/contract.ts";
import { givenHook, someTarget } from "../support/given-hooks.ts";
import type { World } from "../support/world.ts";

const given = (world: World) => givenHook(world);
const otherTarget = "https://192.0.3.2/hooks/crm";

const patching =
  (body: object) =>
  (_world: World, { id }: { id: number }) =>
    ["PATCH", `/hooks/${id}`, body] as const;

/** A webhook of the owner's key, and a key with these scopes. */
const givenKey = (scopes: readonly ScopeName[]) => async (world: World) => {
  const inAcme = world.service.inWorkspace(world.acme);
  const { key } = await inAcme.change((change) => createApiKey(change, { name: "few", scopes }));
  return { ...(await given(world)), key };
};

const patchingAs =
  (body: object) =>
  (_world: World, { id, key }: { id: number; key: string }) =>
    ["PATCH", `/hooks/${id}`, body, { authorization: `Bearer ${key}` }] as const;

contract("updateHook", [
  row({
    name: "changes what is given, and returns the webhook",
    given,
    send: patching({ events: ["task.created", "task.created", "contact.created"], target_url: otherTarget }),
    expect: {
      status: 200,
      body: (_world, { id }) => ({
        id,
        event: null,
        events: ["task.created", "contact.created"],
        target_url: otherTarget,
        status: "active",
      }),
    },
  }),
  row({
    name: "pauses it, and changes nothing else",
    given,
    send: patching({ status: "paused" }),
    expect: { status: 200, body: { events: ["contact.created"], target_url: someTarget, status: "paused" } },
  }),
  row({
    name: "null is every event",
    given,
    send: patching({ events: null }),
    expect: { status: 200, body: { event: null, events: null } },
  }),
  row({
    name: "another target forgets the failures of the old one",
    async given(world) {
      const hook = await given(world);
      const failing = "update hooks set failing_since = created_at where id = ?";
      await world.service.database.transaction(({ rowsOnce }) => rowsOnce(failing, [hook.id]));
      return hook;
    },
    send: patching({ target_url: otherTarget }),
    expect: { status: 200, body: { failing_since: null } },
  }),
  row({
    name: "refuses an empty list of events and a status that clients cannot set",
    given,
    send: patching({ events: [], status: "disabled" }),
    expect: {
      status: 422,
      body: { errors: { events: [expect.any(String)], status: [expect.any(String)] } },
    },
  }),
  row({
    name: "refuses an unknown event",
    given,
    send: patching({ events: ["contact.crated"] }),
    expect: { status: 422, body: { errors: { "events.0": [expect.stringMatching(/such as contact\.created/)] } } },
  }),
  row({
    name: "refuses a private target",
    given,
    send: patching({ target_url: "https://10.0.0.1/" }),
    expect: { status: 422, body: { errors: { target_url: [expect.stringMatching(/public/)] } } },
  }),
  row({
    name: "refuses an event beyond the scopes of the credential",
    given: givenKey(["webhooks.write", "tasks.readonly"]),
    send: patchingAs({ events: ["task.created", "contact.created"] }),
    expect: { status: 403, exactly: expect.objectContaining({ required_scope: "contacts.readonly" }) },
  }),
  row({
    name: "refuses another target to a credential without a scope of the webhook, to which it would show too much",
    given: givenKey(["webhooks.write", "contacts.readonly"]),
    send: patchingAs({ target_url: otherTarget }),
    expect: { status: 403, exactly: expect.objectContaining({ error: "insufficient_scope" }) },
    async afterwards(world, { id }) {
      expect((await world.send("owner", "GET", `/hooks/${id}`)).body.target_url).toBe(someTarget);
    },
  }),
  row({
    name: "allows it to a manager's key, since no webhook shows what managers cannot see",
    given: givenKey(rightsOf.manager.scopes),
    send: patchingAs({ target_url: otherTarget }),
    expect: { status: 200, body: { target_url: otherTarget } },
  }),
  row({
    name: "allows a credential without a scope of the webhook the other changes",
    given: givenKey(["webhooks.write", "contacts.readonly"]),
    send: patchingAs({ target_url: someTarget, status: "paused", events: ["contact.updated"] }),
    expect: { status: 200, body: { status: "paused", events: ["contact.updated"] } },
  }),
  row({
    name: "an event beyond the scopes of the webhook is refused",
    async given(world) {
      const few = await givenKey(["webhooks.write", "contacts.readonly"])(world);
      const body = { event: "contact.created", target_url: someTarget };
      const { body: hook } = await world.send("owner", "POST", "/hooks", body, {
        authorization: `Bearer ${few.key}`,
      });
      return hook as { id: number };
    },
    send: patching({ events: ["task.created"] }),
    expect: { status: 422, body: { errors: { events: [expect.stringMatching(/Register another one/)] } } },
  }),
]);
