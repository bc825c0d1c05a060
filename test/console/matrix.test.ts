/** Work pages by address: tenancy, roles, sessions and CSRF, over the rows of test/support/console-pages.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isAtLeast } from "../../src/operation/roles.ts";
import { sampleOf } from "../support/chance.ts";
import { consolePages, consoleTables, givenConsoleRecords, parametersOf, pathWith } from "../support/console-pages.ts";
import type { ConsolePage, PathIds } from "../support/console-pages.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenPasswords } from "../support/marketplace.ts";
import { createPerson, hiddenFields, password } from "../support/person.ts";
import type { Page, Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

test("every work page of src/routes.ts has a row", () => {
  const source = readFileSync(join(import.meta.dirname, "../../src/routes.ts"), "utf8");
  const served = [...source.matchAll(/\/\/ (GET|POST) +(\/[wl]\/\S+)$/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const rows = consolePages.flatMap(({ path, form, isFormOnly }) => [
    ...(isFormOnly ? [] : [`GET ${path}`]),
    ...(form ? [`POST ${path}`] : []),
  ]);
  expect(rows.toSorted()).toEqual(served.toSorted());
});

/** Texts that a form field is sent: none, too long, of another kind, and hostile. */
const hostileValues = [
  "",
  " ",
  "x".repeat(20_000),
  "9".repeat(400),
  "-1",
  "1e999",
  "NaN",
  "a\0b",
  "a\u202Eb",
  "\uD800",
  "javascript:alert(1)",
  `"><script>alert(1)</script>`,
  "' or 1=1 --",
  "../../etc/passwd",
  "constructor",
];

const isView = ({ isFormOnly }: ConsolePage) => isFormOnly !== true;
/** test/console/live.test.ts opens the streams. */
const isPage = ({ isStream }: ConsolePage) => isStream !== true;
const isForm = ({ form }: ConsolePage) => form !== undefined;
const withParameters = (row: ConsolePage) => parametersOf(row.path).map((parameter) => ({ ...row, parameter }));
const isNotForMembers = ({ least }: ConsolePage) => !isAtLeast("member", least);

describe.each(sampleOf("console: matrix", 1, databaseKinds))("on %s", (kind) => {
  // What the rows have in common is decided before the database is asked.
  const rows = kind === "sqlite" ? consolePages : sampleOf("work pages on postgres", 12, consolePages);
  const [views, forms] = [rows.filter(isView), rows.filter(isForm)];
  let world: World;
  let own: PathIds;
  let foreign: PathIds;
  let olga: Person;
  let nora: Person;
  beforeAll(async () => {
    world = await createWorld(kind);
    await givenPasswords(world);
    ({ own, foreign } = await givenConsoleRecords(world));
    olga = createPerson(world.url);
    nora = createPerson(world.url);
    await olga.signIn("olga@acme.example");
    await nora.signIn("nora@acme.example");
  });
  afterAll(() => world?.close());
  // Sign-in attempts are counted in windows of ten minutes.
  beforeEach(() => world.clock.advance({ minutes: 11 }));

  /** The rows of the tables that forms change. */
  async function stored(): Promise<string> {
    const tables = await Promise.all(
      consoleTables.map((name) => world.service.database.rows(`select * from ${name} order by id`, [])),
    );
    return JSON.stringify(tables);
  }

  async function expectNothingDone(send: () => Promise<Page>, status: number): Promise<Page> {
    const before = await stored();
    const page = await send();
    expect(page.status, page.text).toBe(status);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await stored()).toBe(before);
    return page;
  }

  const tokenOf = async (person: Person) => {
    const { text } = await person.get("/");
    return /name="form_token" value="([^"]+)"/.exec(text)![1]!;
  };

  test.each(views.filter(isPage))(
    "$path is shown, and without a session leads to sign-in and back",
    async ({ path }) => {
      const address = pathWith(path, own);
      const page = await olga.get(address);
      expect(page.status, page.text).toBe(200);
      const visitor = createPerson(world.url);
      const asked = await visitor.get(address);
      expect([asked.status, asked.location]).toEqual([303, `/sign-in?continue=${encodeURIComponent(address)}`]);
      const hidden = hiddenFields(await visitor.get(asked.location));
      expect(hidden["continue"]).toBe(address);
    },
  );

  test("signing in leads back to a page and its query", async () => {
    const visitor = createPerson(world.url);
    const address = `/w/${world.acme}/keys?state=all`;
    const { location } = await visitor.get(address);
    const answer = await visitor.submit(await visitor.get(location), { email: "olga@acme.example", password });
    expect([answer.status, answer.location]).toEqual([303, address]);
  });

  test.each(views.flatMap(withParameters))("$path: a foreign, unknown or malformed $parameter is 404", async (row) => {
    for (const address of wrongAddresses(row)) await expectNothingDone(() => olga.get(address), 404);
  });

  test.each(forms.flatMap(withParameters))("a form to $path: a wrong $parameter is 404", async (row) => {
    const fields = { ...row.form, form_token: await tokenOf(olga) };
    for (const address of wrongAddresses(row)) await expectNothingDone(() => olga.post(address, fields), 404);
  });

  function wrongAddresses({ path, parameter }: ReturnType<typeof withParameters>[number]): string[] {
    return [foreign[parameter]!, 999_999, 0, "x", "1e1", "%00", "9".repeat(30)].map((id) =>
      pathWith(path, { ...own, [parameter]: id }),
    );
  }

  function expectWhomToAsk({ text }: Page): void {
    expect(text).toMatch(/Only owners(?: and managers)? see /);
    expect(text).toMatch(/Ask\s+<bdi>Olga<\/bdi>/);
  }

  test.each(views.filter(isNotForMembers))(
    "$path is 403 for a member, and names the people to ask",
    async ({ path }) => {
      expectWhomToAsk(await expectNothingDone(() => nora.get(pathWith(path, own)), 403));
    },
  );

  test.each(forms.filter(isNotForMembers))("a form to $path of a member is 403", async ({ path, form }) => {
    const fields = { ...form, form_token: await tokenOf(nora) };
    expectWhomToAsk(await expectNothingDone(() => nora.post(pathWith(path, own), fields), 403));
  });

  test.each(forms)("a forged form to $path is 403, and nothing is done", async ({ path, form }) => {
    const visitor = createPerson(world.url);
    const ofVisitor = hiddenFields(await visitor.get("/sign-in"))["form_token"]!;
    const [ofOlga, ofNora] = [await tokenOf(olga), await tokenOf(nora)];
    const forged: readonly (readonly [Person, Record<string, string>, Record<string, string>])[] = [
      [olga, {}, {}],
      [olga, { form_token: ofNora }, {}],
      [olga, { form_token: ofOlga }, { "sec-fetch-site": "cross-site" }],
      [olga, { form_token: ofOlga }, { "sec-fetch-site": "same-site" }],
      [olga, { form_token: ofOlga }, { origin: "https://evil.example" }],
      [visitor, { form_token: ofVisitor }, {}],
      [visitor, { form_token: ofOlga }, {}],
    ];
    for (const [person, token, headers] of forged) {
      await expectNothingDone(() => person.post(pathWith(path, own), { ...form, ...token }, headers), 403);
    }
  });

  const typed = forms.flatMap(({ form, ...row }) =>
    Object.keys(form!)
      .filter((field) => field !== "once")
      .map((field) => ({ ...row, form: form!, field })),
  );

  test.each(sampleOf(`fields of forms on ${kind}`, 12, typed))(
    "a form to $path: whatever $field is, it is taken or refused, and what was typed is kept",
    async ({ path, form, field }) => {
      const token = await tokenOf(olga);
      for (const [n, value] of hostileValues.entries()) {
        const once = { once: `${path} ${field} ${n}` };
        const fields = { ...form, ...once, form_token: token, [field]: value };
        const page = await olga.post(pathWith(path, own), fields);
        const name = JSON.stringify([field, value.slice(0, 40), page.status, page.text.slice(0, 2000)]);
        expect([200, 303, 409, 422], name).toContain(page.status);
        expect(page.text, name).not.toContain("<script>alert(1)");
        if (page.status !== 422) continue;
        expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
        expect(page.text, name).toMatch(/id="\w+-fault"/);
        // Another field keeps what was typed into it.
        const [other] = Object.entries(form).find(([id]) => id === "name" && id !== field) ?? [];
        if (other !== undefined) expect(page.text, name).toContain(`value="${form[other]}"`);
      }
    },
  );
});
