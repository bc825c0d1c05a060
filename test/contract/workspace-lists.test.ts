/** Paging through the lists of a workspace: people by id, tags by name; each exactly once, whatever is added in the meantime. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTag } from "../../src/crm/tags/tag.service.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import type { Change } from "../../src/events/caller.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { Asker, World } from "../support/world.ts";

const pageSize = 200;
/** Two full pages, and a third with a single record. */
const count = 2 * pageSize + 1;

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  /** The pages of a list; `between` runs after each. */
  async function walk(as: Asker, path: string, between: (page: number) => Promise<unknown>) {
    const pages: { id: number; name: string }[][] = [];
    let cursor = "";
    do {
      const answer = await world.send(as, "GET", `${path}?cursor=${cursor}`);
      expect(answer.status).toBe(200);
      pages.push(answer.body.data);
      await between(pages.length);
      cursor = answer.body.next_cursor ?? "";
    } while (cursor !== "");
    return pages;
  }

  /** Few in each change: its EntityManager compares all that it holds at every flush. */
  async function inChanges(names: readonly string[], work: (change: Change, name: string) => Promise<unknown>) {
    for (let from = 0; from < names.length; from += 10) {
      await world.service.inWorkspace(world.acme).change(async (change) => {
        for (const name of names.slice(from, from + 10)) await work(change, name);
      });
    }
  }

  async function invite(names: readonly string[], locationIds: number[]): Promise<number[]> {
    const ids: number[] = [];
    await inChanges(names, async (change, name) => {
      const email = `${name}@acme.example`.replaceAll(" ", ".");
      ids.push((await inviteUser(change, { email, name, role: "member", locationIds })).id);
    });
    return ids;
  }

  test.each<[Asker, "all" | "north"]>([
    ["owner", "all"],
    ["northOnly", "north"],
  ])("GET /users as %s: those of %s", async (as, who) => {
    // Alternating, so that a page of people with access to North skips every other person.
    const ofNorth: number[] = [];
    const ofSouth: number[] = [];
    for (let n = 0; n < 4; n++) {
      const names = Array.from({ length: Math.ceil(count / 4) }, (_, place) => `${as} ${n} ${place}`);
      const [ids, into] = n % 2 === 0 ? [[world.north], ofNorth] : [[world.south], ofSouth];
      into.push(...(await invite(names, ids)));
    }
    const others =
      who === "all"
        ? ofSouth
        : await invite(
            Array.from({ length: count }, (_, n) => `${as} x ${n}`),
            [world.north],
          );
    const expected = [...ofNorth, ...others].toSorted((a, b) => a - b);
    const added: number[] = [];
    const pages = await walk(as, "/users", async (page) => {
      added.push(...(await invite([`${as} late ${page}`], [world.north])));
    });
    const seen = pages.flat().map(({ id }) => id);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(new Set(seen).size).toBe(seen.length);
    // Added people come last, so all but the last one appear as well.
    expect(seen.filter((id) => id >= expected[0]!)).toEqual([...expected, ...added.slice(0, -1)]);
    expect(pages.slice(0, -1).map((page) => page.length)).toEqual(pages.slice(0, -1).map(() => pageSize));
    expect(pages.length).toBeGreaterThan(2);
  });

  test("GET /tags", async () => {
    const create = (names: readonly string[]) =>
      inChanges(names, (change, name) => createTag(change, { name, color: null }));
    // 7 is coprime to the number of names: each name once, in scrambled order and mixed case.
    const numbers = Array.from({ length: count }, (_, n) => String(100 + ((n * 7) % count)));
    await create(numbers.map((number, n) => (n % 2 === 0 ? `tag ${number}` : `TAG ${number}`)));
    const pages = await walk("owner", "/tags", (page) =>
      // One before all tags already seen, one after all others.
      create([`a before ${page}`, `z behind ${page}`]),
    );
    expect(pages.map((page) => page.length)).toEqual([pageSize, pageSize, 1 + 2]);
    expect(pages.flat().map(({ name }) => name.toLowerCase())).toEqual([
      ...numbers.toSorted().map((number) => `tag ${number}`),
      "z behind 1",
      "z behind 2",
    ]);
  });
});
