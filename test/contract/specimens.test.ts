/** Checks generated from the specimen of every operation: the valid request, its stored response, missing fields, fields of the wrong type. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { endpoints, operations } from "../../src/operations.ts";
import { successesOf } from "../../src/http/endpoint.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import type { Operation } from "../../src/operation/operation.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { callerOf, givenPerson } from "../support/given-people.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { makeRecords } from "../support/records.ts";
import type { Records } from "../support/records.ts";
import { askingOf, inputOf, pathOf, queryOf, shownOtherwise, jsonEndpoints } from "../support/specimens.ts";
import { addSpecimenCharge, startFakeStripe } from "../support/stripe/fake-stripe.ts";
import type { FakeStripe } from "../support/stripe/fake-stripe.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

interface InputShape {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
  readonly required?: readonly string[];
}

function shapeOf({ operation: { input } }: Endpoint): InputShape {
  return input === undefined ? {} : (z.toJSONSchema(input, { io: "input" }) as InputShape);
}

/** A field → the member of the answer that shows it. */
const sameAs: Readonly<Record<string, string>> = { attachment_ids: "attachments" };

const addressed = new Set(endpoints.map(({ operation }) => operation.name));
const withoutAddress = operations.filter(({ name }) => !addressed.has(name)).map((row) => [row.name, row] as const);

/** Specimens that change nothing, so that their response is not stored. */
const withoutEffect: Readonly<Record<string, string>> = {
  tryWorkflow: "a dry run",
  addContactTag: "the contact has the tag",
  testChannel: "nothing listens at the address of its channel",
};

/** Whether an object is valid and a string is not. */
function takesObject(shape: object | undefined): boolean {
  return JSON.stringify(shape).includes('"type":"object"');
}

describe.each(sampleOf("specimens of operations", 1, databaseKinds))("every operation on %s", (kind) => {
  let world: World;
  let stripe: FakeStripe;
  beforeAll(async () => {
    stripe = await startFakeStripe(new ManualClock());
    addSpecimenCharge(stripe.books);
    world = await createWorld(kind, { environment: stripe.environment });
  });
  afterAll(async () => {
    await world?.close();
    await stripe?.close();
  });

  /** Sends the specimen, changed by `alter`, for `records` (default: new ones, unless it only reads). */
  async function send(
    endpoint: Endpoint,
    alter: (body: Record<string, unknown>) => void = () => {},
    given?: Promise<Records>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const isGet = endpoint.method === "GET";
    const records = await (given ?? (isGet ? sharedRecords() : makeRecords(world)));
    const query = `?location_id=${world.north}${queryOf(endpoint, records)}`;
    const path = pathOf(endpoint, records) + (isGet ? query : "");
    const body = { ...inputOf(endpoint.operation, records), location_id: world.north };
    alter(body);
    return world.send("owner", endpoint.method, path, isGet ? undefined : body, headers);
  }

  let shared: Promise<Records> | undefined;
  /** Of all requests that change nothing. */
  function sharedRecords(): Promise<Records> {
    return (shared ??= makeRecords(world));
  }
  /** The same for a request that is refused. */
  const sendRefused = (endpoint: Endpoint, alter: (body: Record<string, unknown>) => void) =>
    send(endpoint, alter, sharedRecords());

  test.each(withoutAddress)(
    "%s, which has no HTTP address, accepts its specimen and returns the declared shape",
    async (_name, row) => {
      const caller =
        row.within === "account"
          ? await callerOf(world, await givenPerson(world, "owner", null), null)
          : await world.service.inLocation(world.acme, world.north);
      const result = await world.service.carryOut(
        row as Operation<LocationContext, object, unknown>,
        caller as Caller<LocationContext>,
        askingOf(row, await makeRecords(world)),
      );
      expect((row.gives ?? z.null()).parse(result)).toEqual(result);
    },
  );

  describe.each(jsonEndpoints.map((endpoint) => [endpoint.operation.name, endpoint] as const))(
    "%s",
    (_name, endpoint) => {
      const { properties = {}, required = [] } = shapeOf(endpoint);

      let specimen: Record<string, unknown> = {};
      let answered: ReturnType<typeof send> | undefined;
      let records: Promise<Records> | undefined;
      const sendKeyed = (alter: (body: Record<string, unknown>) => void) =>
        send(endpoint, alter, endpoint.method === "GET" ? undefined : (records ??= makeRecords(world)), {
          "idempotency-key": "specimen",
        });
      /** The answer to the specimen, which is sent once. */
      const answerToSpecimen = () => (answered ??= sendKeyed((body) => void (specimen = body)));

      test("accepts its specimen", async () => {
        const answer = await answerToSpecimen();
        expect(answer.status, answer.text).toBeLessThan(300);
        expect(successesOf(endpoint)).toContain(answer.status);
      });

      test.each(endpoint.keepsAnswer && !(endpoint.operation.name in withoutEffect) ? [endpoint.method] : [])(
        "gives a repeated %s with the same Idempotency-Key the same response",
        async () => {
          const { status, text } = await answerToSpecimen();
          const again = await sendKeyed((body) => void Object.assign(body, specimen));
          expect({ status: again.status, text: again.text }).toEqual({ status, text });
          expect(again.headers.get("idempotency-replayed")).toBe("true");
        },
      );

      test.each(endpoint.operation.name in shownOtherwise ? [] : Object.keys(properties))(
        "keeps %s and shows it",
        async (field) => {
          const answer = await answerToSpecimen();
          const given = specimen[field];
          expect(given, `the specimen of ${endpoint.operation.name} has no ${field}`).toBeDefined();
          expect(answer.body[sameAs[field] ?? field]).toEqual(given);
        },
      );

      test.each(required)("needs %s", async (field) => {
        const answer = await sendRefused(endpoint, (body) => delete body[field]);
        expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
      });

      test.each(Object.keys(properties))("refuses %s of the wrong type, by name", async (field) => {
        const answer = await sendRefused(
          endpoint,
          (body) => (body[field] = takesObject(properties[field]) ? "text" : { not: "this" }),
        );
        expect(answer.status, answer.text).toBe(422);
        expect(Object.keys(answer.body.errors).map((name) => name.split(".")[0])).toContain(field);
      });
    },
  );
});
