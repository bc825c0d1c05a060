/** Two serve processes on one database: uniqueness and idempotency hold across both. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { chanceOf, repetitions } from "../support/chance.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { KeepAliveConnection } from "./keep-alive-connection.ts";
import type { Answered } from "./keep-alive-connection.ts";

/** The same race again and again, since one may miss it. */
const races = [1, 2, 3, 4, 5].slice(0, repetitions(2, 5));
const bulkRounds = repetitions(3, 5);

describe.each([...databaseKinds])("two crm serve on one %s", (kind) => {
  let system: TestedSystem;
  let urls: string[];
  beforeAll(async () => {
    system = await openSystem(kind);
    const both = await Promise.all([system.serve(), system.serve()]);
    urls = both.map(({ url }) => url);
  });
  afterAll(() => system?.[Symbol.asyncDispose]());

  /**
   * `count` concurrent connections, half of them to each process. A 503 is retried, as clients do: on a busy machine, the last of a hundred
   * may exceed the lock timeout of one row.
   */
  async function inParallel(
    count: number,
    path: string,
    bodyOf: (place: number) => object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered[]> {
    const lines = Array.from({ length: count }, (_, place) => new KeepAliveConnection(urls[place % urls.length]!));
    // Connected first, so that the requests are concurrent.
    await Promise.all(lines.map((line) => line.ask({ method: "GET", path: "/healthz" })));
    const answers = await Promise.all(
      lines.map(async (line, place) => {
        const body = { location_id: system.location, ...bodyOf(place) };
        const request = { method: "POST", path: `/api/v1${path}`, key: system.key, body, headers };
        let answer = await line.ask(request);
        for (let again = 0; answer.status === 503 && again < 3; again++) answer = await line.ask(request);
        return answer;
      }),
    );
    for (const line of lines) line.close();
    return answers;
  }

  async function liveContacts(where: string, value: string): Promise<{ id: number }[]> {
    return system.rows(`select id from contacts where deleted_at is null and ${where} = ?`, [value]);
  }

  const countsOf = (answers: readonly Answered[]): Record<number, number> => {
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  test.each(races)("a hundred concurrent upserts of one person create one contact (person %i)", async (person) => {
    const email = `person.${person}@example.com`;
    const phone = `+1212555010${person}`;
    // The first must have both: e-mail only and phone only would rightly be two contacts.
    const both = [
      { email, phone },
      { phone: `(212) 555-010${person}`, email },
      { email: email.toUpperCase(), phone },
    ];
    const upsert = (keys: readonly object[]) =>
      inParallel(100, "/contacts/upsert", (place) => ({ first_name: `Ada ${place}`, ...keys[place % keys.length] }));
    const answers = await upsert(both);
    expect(countsOf(answers)).toEqual({ 200: 99, 201: 1 });
    // From then on, the e-mail, the phone, or both match the same contact.
    const later = await upsert([{ email: email.toUpperCase() }, { phone: `(212) 555-010${person}` }, ...both]);
    expect(countsOf(later)).toEqual({ 200: 100 });
    expect(new Set([...answers, ...later].map(({ body }) => body.contact.id)).size).toBe(1);
    expect(await liveContacts("email_key", email)).toHaveLength(1);
    const created = await system.rows("select id from events where event = 'contact.created' and contact_id = ?", [
      answers[0]!.body.contact.id,
    ]);
    expect(created).toHaveLength(1);
  });

  test.each(races)("fifty requests with one Idempotency-Key have one effect (key %i)", async (number) => {
    const email = `idempotent.${number}@example.com`;
    const answers = await inParallel(50, "/contacts", () => ({ first_name: "Ida", last_name: "Once", email }), {
      "idempotency-key": `key ${number}`,
    });
    expect(countsOf(answers)).toEqual({ 201: 50 });
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await liveContacts("email_key", email)).toHaveLength(1);
  });

  test.each(races)("of fifty creations with one external_ref one succeeds (reference %i)", async (number) => {
    const reference = `reference ${number}`;
    const answers = await inParallel(50, "/contacts", (place) => ({
      first_name: "Rex",
      last_name: `${place}`,
      external_ref: reference,
    }));
    expect(countsOf(answers)).toEqual({ 201: 1, 422: 49 });
    const sentences = answers.filter(({ status }) => status === 422).map(({ body }) => body.errors.external_ref);
    expect(new Set(sentences.flat())).toEqual(new Set(["The external ref has already been taken."]));
    expect(await liveContacts("external_ref", reference)).toHaveLength(1);
  });

  test("bulk calls with the same keys in different orders do not deadlock", async () => {
    const chance = chanceOf(`crossing keys on ${kind}`);
    const people = Array.from({ length: 60 }, (_, number) => ({
      first_name: "Bea",
      email: `bulk.${number}@example.com`,
      phone: `+1646555${String(number).padStart(4, "0")}`,
      external_ref: `bulk ${number}`,
    }));
    const orders = [
      () => people,
      () => people.toReversed(),
      () => people.toSorted((a, b) => b.phone.at(-1)!.localeCompare(a.phone.at(-1)!)),
      () =>
        people
          .map((one) => ({ one, place: chance() }))
          .toSorted((a, b) => a.place - b.place)
          .map(({ one }) => one),
    ];
    // E-mail matches before phone: once all exist, one's e-mail with another's phone matches the former, and creates none.
    const paired = (all: typeof people): typeof people =>
      all.map((one) => (chance() < 0.3 ? { ...one, phone: people[Math.floor(chance() * people.length)]!.phone } : one));
    for (let round = 0; round < bulkRounds; round++) {
      const answers = await inParallel(16, "/contacts/bulk", (place) => ({
        contacts: (round === 0 ? (all: typeof people) => all : paired)(orders[place % orders.length]!()).map((one) => ({
          ...one,
          last_name: `${round}.${place}`,
        })),
      }));
      expect(countsOf(answers)).toEqual({ 200: 16 });
      const statuses = answers.flatMap(({ body }) => body.data.map(({ status }: { status: number }) => status));
      const created = statuses.filter((status: number) => status === 201);
      expect([statuses.length, created.length]).toEqual([16 * people.length, round === 0 ? people.length : 0]);
      expect(statuses.every((status: number) => status === 200 || status === 201)).toBe(true);
    }
    const [count] = await system.rows<{ count: number }>(
      "select count(*) as count from contacts where email_key like 'bulk.%'",
    );
    expect(count).toEqual({ count: people.length });
  });

  // PostgreSQL does that by itself.
  test.each(kind === "sqlite" ? [16] : [])(
    "%i writers of each are served in turn, and none waits for long",
    async (writers) => {
      const until = performance.now() + 4000;
      const write = async (url: string, writer: number): Promise<number[]> => {
        const line = new KeepAliveConnection(url);
        const waits: number[] = [];
        while (performance.now() < until) {
          const { status, milliseconds } = await line.ask({
            method: "POST",
            path: "/api/v1/contacts",
            key: system.key,
            body: { location_id: system.location, first_name: "Tia", last_name: `Turn ${writer}` },
          });
          expect(status).toBe(201);
          waits.push(milliseconds);
        }
        line.close();
        return waits;
      };
      const perProcess = await Promise.all(
        urls.map(async (url) =>
          (await Promise.all(Array.from({ length: writers }, (_, writer) => write(url, writer)))).flat(),
        ),
      );
      const [less = 0, more = 0] = perProcess.map((waits) => waits.length).toSorted((a, b) => a - b);
      const waits = perProcess.flat().toSorted((a, b) => a - b);
      process.stdout.write(
        `two crm serve on ${kind}: ${more} and ${less} creates, half of them within ${Math.round(waits[waits.length >> 1]!)} ms, 99 of 100 within ${Math.round(waits[Math.floor(waits.length * 0.99)]!)}, the slowest ${Math.round(waits.at(-1)!)}\n`,
      );
      expect(less).toBeGreaterThan(more / 3);
      expect(waits.at(-1)).toBeLessThan(3000);
    },
  );

  test("the total is exact, from either process", async () => {
    const [count] = await system.rows<{ count: number }>(
      "select count(*) as count from contacts where deleted_at is null",
    );
    for (const url of urls) {
      const line = new KeepAliveConnection(url);
      const list = await line.ask({
        method: "GET",
        path: `/api/v1/contacts?location_id=${system.location}`,
        key: system.key,
      });
      line.close();
      expect(list.body.total).toBe(count!.count);
    }
  });
});
