/** null for an optional field means the same as omitting it: for every optional field of every creating operation, separately and together. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { optionalFieldsOf, fetchOpenApi } from "../support/openapi.ts";
import type { OpenApi } from "../support/openapi.ts";
import { makeRecords } from "../support/records.ts";
import type { Records } from "../support/records.ts";
import { inputOf, pathOf, jsonEndpoints } from "../support/specimens.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** Operations that require one of several fields. */
const oneOfSeveral: Readonly<Record<string, readonly string[]>> = {
  upsertContact: ["email"],
  addContactTag: ["tag_id"],
  enroll: ["contact_id"],
  tryWorkflow: ["contact_id"],
  // A transport needs its address and secret, and these a transport.
  createChannel: ["transport", "transport_url", "transport_secret"],
  // Required with a value.
  setWorkflowSecret: ["origin"],
  // Required by its type.
  createCustomField: ["options"],
};

/** Operations that respond differently the second time on the same contact. */
const answersGrow = new Set(["startConversation", "addContactTag", "mergeContacts"]);

const creating = jsonEndpoints.filter(({ method, operation: { input } }) => method === "POST" && input !== undefined);

/** The response without values that differ from record to record. */
function saying(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value: unknown) =>
      name === "id" || name === "secret" || /_(id|at|url)$/.test(name) ? null : value,
    ).replaceAll(/\d+/g, "0"),
  );
}

describe.each(sampleOf("null for optional fields", 1, databaseKinds))("null on %s", (kind) => {
  let world: World;
  let document: OpenApi;
  let records: Records;
  beforeAll(async () => {
    world = await createWorld(kind);
    document = await fetchOpenApi(world.url);
    records = await makeRecords(world);
  });
  afterAll(() => world?.close());

  /** The responses with `fields` omitted and with `fields` null. */
  async function send(endpoint: Endpoint, fields: readonly string[], as: null | undefined) {
    const { [endpoint.operation.name]: kept = [] } = oneOfSeveral;
    const isNew = answersGrow.has(endpoint.operation.name);
    const [contact, merged] = isNew ? [await givenContact(world), await givenContact(world)] : [];
    const about = isNew ? { ...records, contact: contact!.id, merged_contact: merged!.id } : records;
    const body = inputOf(endpoint.operation, about);
    for (const field of fields) if (!kept.includes(field)) body[field] = as;
    return world.send("owner", "POST", pathOf(endpoint, about), { location_id: world.north, ...body });
  }

  test.each(creating.map((endpoint) => [endpoint.operation.name, endpoint] as const))(
    "in %s",
    async (_name, endpoint) => {
      const fields = optionalFieldsOf(document, endpoint);
      for (const some of [...fields.map((field) => [field]), fields]) {
        const leftOut = await send(endpoint, some, undefined);
        const asNull = await send(endpoint, some, null);
        expect(leftOut.status, some.join()).toBeLessThan(300);
        expect({ status: asNull.status, says: saying(asNull.body) }, some.join()).toEqual({
          status: leftOut.status,
          says: saying(leftOut.body),
        });
      }
    },
  );
});
