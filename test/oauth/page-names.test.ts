/** Names that people typed stand on pages within <bdi>, without the marks that turn text around: one that ends an isolate would end that of <bdi> too. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { hostileNames } from "../support/hostile-names.ts";
import { authorizePath } from "../support/marketplace.ts";
import { createPageGround, emails } from "../support/page-ground.ts";
import type { Looker, PageGround } from "../support/page-ground.ts";
import { createPerson } from "../support/person.ts";
import type { Person } from "../support/person.ts";

/** In every name of this test, and in nothing that we say. */
const typed = "Qwzx";
const turning = /[\u202A-\u202E\u2066-\u2069]/u;

let ground: PageGround;
const people = {} as Record<Looker, Person>;
beforeAll(async () => {
  ground = await createPageGround();
  people.nobody = createPerson(ground.world.url);
  for (const as of ["olga", "nora", "otto"] as const) {
    people[as] = createPerson(ground.world.url);
    await people[as].signIn(emails[as]);
  }
});
afterAll(() => ground?.close());

/** What people read of a page that is typed by people and not isolated, and what turns the text around it. */
function unisolated(markup: string): string[] {
  const [, title = ""] = /<title>(.*?)<\/title>/s.exec(markup) ?? [];
  const rest = markup.replace(/<title>.*?<\/title>/s, "").replaceAll(/<bdi(?: dir="ltr")?>[^<]*<\/bdi>/g, "");
  const tags = rest.match(/<[^>]*>/g) ?? [];
  const texts = rest.split(/<[^>]*>/).filter((text) => text.includes(typed));
  // What a field holds is shown as it was typed, in a box of its own.
  const labels = tags.flatMap((tag) => /aria-label="([^"]*)"/.exec(tag)?.[1] ?? []);
  const shown = [title, ...labels, ...markup.split(/<[^>]*>/)];
  return [...new Set([...texts, ...shown.filter((text) => turning.test(text))])].map((text) => text.trim());
}

test("the judge finds a name in the open, and marks in a title, a label and a name", () => {
  const markup = `<title>\u202E</title><p>${typed} and <bdi>\u2069</bdi></p><a aria-label="\u2067">x</a>`;
  expect(unisolated(markup)).toEqual([`${typed} and`, "\u202E", "\u2067", "\u2069"]);
});

test.each(Object.entries(hostileNames))("%s", async (_kind, name) => {
  await ground.rename(name.includes(" ") ? name.replace(" ", ` ${typed} `) : `${typed}${name}`);
  const told: string[] = [];
  for (const [called, { path, as }] of Object.entries(ground.pages)) {
    const { text } = await people[as].get(path);
    if (text.includes("<bdi")) told.push(called);
    expect(unisolated(text), called).toEqual([]);
  }
  // Of the pages, most name something.
  expect(told.length).toBeGreaterThan(10);
});

test("what a form is answered with names nothing in the open either", async () => {
  await ground.rename(`${typed}${hostileNames["an override"]}`);
  const { olga } = people;
  const unanswered = await olga.submit(await olga.get(authorizePath(ground.app)), { answer: "allow" });
  expect([unanswered.status, unisolated(unanswered.text)]).toEqual([422, []]);
  await olga.submit(await olga.get("/apps/1/uninstall"));
  const { text } = await olga.get("/");
  expect(text).toContain("is uninstalled");
  expect(unisolated(text)).toEqual([]);
});
