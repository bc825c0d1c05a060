/** argon2 runs once for each sign-in attempt, known account or not, and with bounded concurrency, so that other requests do not wait. */
import { createHook } from "node:async_hooks";
import { availableParallelism } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashPassword, isPassword } from "../../src/tenancy/passwords/password.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import { givenPasswords } from "../support/marketplace.ts";
import { createPerson, password } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** The hashes that Node begins in this process, and the most that were under way at once. */
const seen = { begun: 0, most: 0 };
const underWay = new Set<number>();
const watch = createHook({
  init(id, type) {
    if (type !== "ARGON2REQUEST") return;
    underWay.add(id);
    seen.begun += 1;
    seen.most = Math.max(seen.most, underWay.size);
  },
  before: (id) => void underWay.delete(id),
});
beforeAll(() => void watch.enable());
afterAll(() => void watch.disable());

async function countHashes(work: () => Promise<unknown>): Promise<number> {
  const before = seen.begun;
  await work();
  return seen.begun - before;
}

test("a core stays free, however many passwords are judged", async () => {
  const stored = await hashPassword(password);
  const work = Array.from({ length: 12 }, (_, place) =>
    isPassword(place % 2 === 0 ? password : "x", place < 10 ? stored : null),
  );
  const answers = await Promise.all(work);
  expect(answers.filter(Boolean)).toHaveLength(5);
  expect(seen).toEqual({ begun: 13, most: availableParallelism() > 2 ? 2 : 1 });
});

describe("an attempt to sign in", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld("sqlite");
    await givenPasswords(world);
    await world.service
      .inWorkspace(world.acme)
      .change((change) =>
        inviteUser(change, { email: "new@acme.example", name: "New", role: "member", locationIds: null }),
      );
  });
  afterAll(() => world?.close());

  test.each([
    ["with the right password", "olga@acme.example", password],
    ["with a wrong one", "olga@acme.example", "four words are wrong"],
    ["with a short one", "olga@acme.example", "x"],
    ["by who has none yet", "new@acme.example", password],
    ["by nobody", "nobody@acme.example", password],
  ])("%s costs one hash", async (_name, email, given) => {
    const person = createPerson(world.url);
    const page = await person.get("/sign-in");
    expect(await countHashes(() => person.submit(page, { email, password: given }))).toBe(1);
  });
});
