/**
 * null for an optional field means the same as omitting it: for every optional field of every creating operation, separately and together.
 * In a PATCH it clears the field, or is refused.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { schemaCompiler } from "../support/answers.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { bodyFieldsOf, optionalFieldsOf, fetchOpenApi } from "../support/openapi.ts";
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

/** Fields of a PATCH whose default is shown once they are cleared, and one that holds fields, each of which null clears. */
const shownOtherwise = new Set(["inbound_address", "outbound_address", "custom_fields"]);

const changing = jsonEndpoints.filter(({ method }) => method === "PATCH");

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
  let compile: ReturnType<typeof schemaCompiler>;
  let records: Records;
  beforeAll(async () => {
    world = await createWorld(kind);
    document = await fetchOpenApi(world.url);
    compile = schemaCompiler(document);
    records = await makeRecords(world);
  });
  afterAll(() => world?.close());

  /** Whether the document allows null for a field. */
  const allowsNull = (endpoint: Endpoint, field: string): boolean =>
    compile(bodyFieldsOf(document, endpoint)[field]!)(null);

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
      expect(fields.filter((field) => !allowsNull(endpoint, field))).toEqual([]);
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

  test.each(changing.map((endpoint) => [endpoint.operation.name, endpoint] as const))(
    "in %s it clears the field or is 422",
    async (_name, endpoint) => {
      for (const field of optionalFieldsOf(document, endpoint)) {
        const sent = { location_id: world.north, [field]: null };
        const { status, body } = await world.send("owner", "PATCH", pathOf(endpoint, records), sent);
        expect({ field, status }).toEqual({ field, status: allowsNull(endpoint, field) ? 200 : 422 });
        if (status === 422) expect(Object.keys(body.errors)).toEqual([field]);
        else if (!shownOtherwise.has(field)) expect({ field, is: body[field] ?? null }).toEqual({ field, is: null });
      }
    },
  );
});
