/** The audit log on pages: latest first, page by page, by operation and by actor. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordAudit } from "../../src/operation/audit/record-audit.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenOlga } from "../support/marketplace.ts";
import type { Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("console: audit", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let olga: Person;
  let log: string;
  beforeAll(async () => {
    world = await createWorld(kind);
    olga = await givenOlga(world);
    log = `/w/${world.acme}/audit`;
    await world.service.inWorkspace(world.acme).change(async (change) => {
      const entry = { actor: { type: "user", id: world.users.olga }, workspaceId: world.acme } as const;
      for (let number = 1; number <= 210; number++)
        recordAudit(change, change.now, {
          ...entry,
          operation: "updateTag",
          locationId: null,
          address: "203.0.113.7",
          subject: { noun: "tag", id: number },
          details: { fields: ["<script>alert(1)</script>"] },
        });
    });
  });
  afterAll(() => world?.close());

  const tagsIn = (text: string) => [...text.matchAll(/tag (\d+)/g)].map(([, id]) => Number(id));

  test("entries come page by page, latest first, with their actor, address and details, escaped", async () => {
    const { status, text } = await olga.get(`${log}?operation=updateTag`);
    expect(status).toBe(200);
    expect(tagsIn(text)).toEqual(Array.from({ length: 200 }, (_, place) => 210 - place));
    expect(text).toContain("Olga");
    expect(text).toContain("203.0.113.7");
    expect(text).toContain("&lt;script&gt;alert(1)");
    const next = /href="([^"]+)">Next page/.exec(text)![1]!.replaceAll("&amp;", "&");
    const rest = await olga.get(next);
    expect(tagsIn(rest.text)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(rest.text).toContain("Latest entries");
    // Operation and actor of an entry lead to those like it; the filter in place stays.
    expect(rest.text).toContain(`href="${log}?operation=updateTag&amp;actor=user%3A${world.users.olga}"><bdi>Olga`);
    expect((await olga.get(`${log}?operation=updateTag&actor=user%3A${world.users.olga}`)).text).toContain(
      `href="${log}">Show all entries`,
    );
    expect((await olga.get(log)).text).not.toContain("Show all entries");
  });

  test.each([
    ["by an actor", () => `actor=user:${world.users.olga}`, 200, "updateTag"],
    ["by an operation that did not happen", () => "operation=removeUser", 200, "No entry matches"],
    ["by a wrong actor", () => "actor=olga", 422, "must be a type and an id"],
    ["with a wrong cursor", () => "cursor=x", 422, "cursor"],
  ])("filtered %s", async (_name, query, status, sentence) => {
    const answer = await olga.get(`${log}?${query()}`);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(sentence);
  });
});
