/** Every operation by every role: the permissions, and no access to other locations and workspaces. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withRollback } from "../../src/events/with-rollback.ts";
import type { Caller, Change, LocationContext } from "../../src/events/caller.ts";
import { carryOutRow } from "../../src/operation/carry-out.ts";
import type { AnyOperation } from "../../src/operation/operation.ts";
import { readInput } from "../../src/kit/input/read-input.ts";
import { endpoints, operations } from "../../src/operations.ts";
import type { UserView } from "../../src/tenancy/users/user.view.ts";
import { Invalid, Refusal } from "../../src/vocabulary/errors.ts";
import { roles } from "../../src/vocabulary/states.ts";
import type { Role } from "../../src/vocabulary/states.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { callerOf, givenPerson } from "../support/given-people.ts";
import { makeRecords } from "../support/records.ts";
import type { Records } from "../support/records.ts";
import { askingOf, leastRoleOf } from "../support/specimens.ts";
import type { Asking } from "../support/specimens.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { addSpecimenCharge, startFakeStripe } from "../support/stripe/fake-stripe.ts";
import type { FakeStripe } from "../support/stripe/fake-stripe.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const addressed = new Set(endpoints.map(({ operation }) => operation.name));
const rows = operations.map((operation) => [operation.name, operation] as const);

/** Carries out `operation` and rolls it back, so that all operations can share their records. */
async function attempt(
  world: World,
  operation: AnyOperation,
  caller: Caller<LocationContext | null>,
  { query = {}, input = {}, ...ids }: Asking,
): Promise<string> {
  const dry = { ...caller, change: (work: never) => rolledBack(caller, work) } as Caller<LocationContext>;
  const read = () => ({
    query: operation.query === undefined ? {} : readInput(operation.query, query),
    input: operation.input === undefined ? {} : readInput(operation.input, input),
  });
  try {
    await carryOutRow(operation, dry, { ids, read }, world.service.deps);
    return "done";
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    if (error instanceof Invalid) return `invalid: ${Object.keys(error.errors).join(", ")}`;
    throw error;
  }
}

async function rolledBack(
  caller: Caller<LocationContext | null>,
  work: (change: Change<LocationContext | null>) => Promise<unknown>,
): Promise<unknown> {
  let result: unknown;
  await withRollback<Change<LocationContext | null>>(
    (open) => caller.change(open),
    async (change) => {
      result = await work(change);
    },
  );
  return result;
}

describe.each(sampleOf("roles", 1, databaseKinds))("by role on %s", (kind) => {
  let world: World;
  let stripe: FakeStripe;
  let records: Records;
  /** People with access to North. */
  const people = {} as Record<Role, UserView>;
  let memberOfSouth: UserView;
  let stranger: UserView;
  beforeAll(async () => {
    stripe = await startFakeStripe(new ManualClock());
    addSpecimenCharge(stripe.books);
    world = await createWorld(kind, { quiet: true, environment: stripe.environment });
    records = await makeRecords(world);
    for (const role of roles) people[role] = await givenPerson(world, role, role === "member" ? [world.north] : null);
    memberOfSouth = await givenPerson(world, "member", [world.south]);
    stranger = await givenPerson(world, "owner", null, world.other);
  });
  afterAll(async () => {
    await world?.close();
    await stripe?.close();
  });

  const whereOf = ({ within }: AnyOperation) => (within === "location" ? world.north : null);

  describe.each(rows)("%s", (name, operation) => {
    test.each(roles)("%s", async (role) => {
      const caller = await callerOf(world, people[role], whereOf(operation));
      const told = await attempt(world, operation, caller!, askingOf(operation, records));
      const least = leastRoleOf.get(name)!;
      const isAllowed = least !== "operator" && roles.indexOf(role) <= roles.indexOf(least as Role);
      expect(told).toBe(isAllowed ? "done" : "insufficient_role");
    });

    test("a member of another location", async () => {
      const caller = await callerOf(world, memberOfSouth, whereOf(operation));
      if (operation.within === "location") return expect(caller).toBeUndefined();
      const told = await attempt(world, operation, caller!, askingOf(operation, records));
      expect(told).toBe(leastRoleOf.get(name) === "member" ? "done" : "insufficient_role");
    });

    test("an owner of another workspace", async () => {
      const caller = await callerOf(world, stranger, operation.within === "location" ? world.foreign : null);
      const { result: told, events } = await world.eventsDuring(() =>
        attempt(world, operation, caller!, askingOf(operation, records)),
      );
      expect(events).toEqual([]);
      const [first] = operation.find;
      if (leastRoleOf.get(name) === "operator") expect(told).toBe("insufficient_role");
      else if (first !== undefined) expect(told).toBe(`${first.noun}.not_found`);
      // An operation without a record works in the stranger's own workspace.
      else expect(told).toMatch(/^(done|invalid: .*|\w+\.not_found)$/);
    });

    test("accepts its arguments, or refuses them by name", async () => {
      if (addressed.has(name)) return;
      const { owner } = people;
      const caller =
        leastRoleOf.get(name) === "operator"
          ? world.service.operator
          : (await callerOf(world, owner, whereOf(operation)))!;
      const asking = askingOf(operation, records);
      const names = Object.keys({ ...asking.query, ...asking.input });
      const awkward = fc.oneof(
        fc.constantFrom("", " ", "\0", "\ud800", "x".repeat(3000), "$1", "'"),
        fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 53, 1e300, Number.NaN),
        fc.constantFrom(null, true, [], {}, ["x"], [0], { id: 1 }),
      );
      const given = fc.dictionary(fc.constantFrom("__proto__", ...names), awkward, { maxKeys: 3 });
      await fc.assert(
        fc.asyncProperty(given, fc.option(awkward), async (some, id) => {
          const ids = id === null ? {} : Object.fromEntries(operation.find.map(({ noun }) => [noun, id]));
          const told = await attempt(world, operation, caller, {
            ...asking,
            ...ids,
            query: { ...asking.query, ...some },
            input: { ...asking.input, ...some },
          } as Asking);
          expect(told).toMatch(/^(done|invalid: .*|\w+\.not_found)$/);
        }),
        { numRuns: 25 },
      );
    });
  });
});
