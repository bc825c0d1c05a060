/** GET /hooks/samples */
import { expect } from "vitest";
import { eventShapes } from "../../src/crm/event-log/event-shapes.ts";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { customFieldTypes, hasOptions } from "../../src/vocabulary/custom-fields.ts";
import { eventNames } from "../../src/vocabulary/events.ts";
import { contract, row } from "../support/contract.ts";
import { findFaultsOf } from "../support/events.ts";
import { made } from "../support/given.ts";

const raised = eventShapes.map(({ event }) => event);

contract("getSampleEvent", [
  ...raised.map((event) =>
    row({
      name: `returns ${event} in the envelope, with the data of a real event`,
      send: ["GET", `/hooks/samples?event=${event}`],
      expect: { status: 200 },
      async afterwards(_world, _given, body) {
        expect(Object.keys(body)).toEqual(["id", "event", "created_at", "data"]);
        expect(body).toMatchObject({ id: expect.any(Number), event, created_at: expect.stringMatching(/Z$/) });
        // The schema that contract tests validate recorded events against.
        expect(findFaultsOf(body)).toEqual([]);
      },
    }),
  ),
  ...eventNames
    .filter((event) => !raised.includes(event))
    .map((event) =>
      row({
        name: `has no sample of ${event} yet`,
        send: ["GET", `/hooks/samples?event=${event}`],
        expect: {
          status: 422,
          body: { errors: { event: [`The event field names ${event}, which this version does not raise yet.`] } },
        },
      }),
    ),
  row({
    name: "shows the custom fields of the workspace with a value of each type",
    given: async (world) => {
      for (const [on, type] of [
        ...customFieldTypes.map((one) => ["contact", one] as const),
        ["opportunity", "money"] as const,
      ]) {
        const options = hasOptions(type) ? ["Basic", "Pro", "Team"] : undefined;
        await made(world.send("stranger", "POST", "/custom-fields", { on, name: `Of ${type}`, type, options }));
      }
    },
    as: "stranger",
    send: ["GET", "/hooks/samples?event=contact.updated"],
    expect: { status: 200 },
    async afterwards(world, _given, body) {
      expect(findFaultsOf(body)).toEqual([]);
      expect(Object.keys(body.data.custom_fields)).toEqual(customFieldTypes.map((type) => `of_${type}`));
      // Each value is one that the field takes.
      const contact = { location_id: world.foreign, first_name: "Eve", last_name: "" };
      const { custom_fields } = body.data;
      expect(await made(world.send("stranger", "POST", "/contacts", { ...contact, custom_fields }))).toMatchObject({
        custom_fields,
      });
      const sampleOf = async (event: string) =>
        (await made(world.send("stranger", "GET", `/hooks/samples?event=${event}`))).data;
      expect((await sampleOf("opportunity.created")).custom_fields).toEqual({ of_money: expect.any(Number) });
      expect(await sampleOf("note.added")).not.toHaveProperty("custom_fields");
    },
  }),
  row({
    name: "shows no custom fields of records that the key may not read",
    given: async (world) => {
      await made(world.send("owner", "POST", "/custom-fields", { on: "contact", name: "Secret plan", type: "text" }));
      const caller = world.service.inWorkspace(world.acme);
      return await caller.change((change) => createApiKey(change, { name: "hooks", scopes: ["webhooks.readonly"] }));
    },
    send: (_world, { key }) => [
      "GET",
      "/hooks/samples?event=contact.created",
      undefined,
      { authorization: `Bearer ${key}` },
    ],
    expect: { status: 200 },
    afterwards: async (_world, _given, body) => expect(body.data).not.toHaveProperty("custom_fields"),
  }),
  row({
    name: "an unknown event is refused with the list of events",
    send: ["GET", "/hooks/samples?event=contact.exploded"],
    expect: { status: 422, body: { errors: { event: [`The event field must be one of ${eventNames.join(", ")}.`] } } },
  }),
  row({
    name: "requires a name",
    send: ["GET", "/hooks/samples"],
    expect: { status: 422, body: { errors: { event: ["The event field is required."] } } },
  }),
]);
