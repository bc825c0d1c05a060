/** kill -9 at each step of a group commit: confirmed changes are there, and the others are atomic. */
import { expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { startKilled } from "./start-killed.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { Interrupted, KeepAliveConnection, Refused } from "./keep-alive-connection.ts";
import type { Asked } from "./keep-alive-connection.ts";
import { expectPositions, expectInvariants } from "./invariants.ts";

const writers = 16;

interface Written {
  /** Ids by e-mail. */
  readonly answered: Map<string, number>;
  /** Expected refusals, by e-mail. */
  readonly refused: Set<string>;
}

function contactOf({ location, key }: TestedSystem, email: string, taken: boolean): Asked {
  const body = { location_id: location, first_name: "Kay", last_name: "Kill", email };
  const reference = taken ? { external_ref: "taken" } : {};
  return { method: "POST", path: "/api/v1/contacts", key, body: { ...body, ...reference } };
}

/** Half of them also send refused changes, which are rolled back within the group. */
async function write(system: TestedSystem, url: string, writer: number, { answered, refused }: Written): Promise<void> {
  const line = new KeepAliveConnection(url);
  const round = answered.size;
  for (let number = 0; ; number++) {
    const email = `k${writer}.${round}.${number}@example.com`;
    const taken = writer % 2 === 0 && number % 2 === 1;
    try {
      const headers: Record<string, string> = number % 3 === 0 ? { "idempotency-key": email } : {};
      const answer = await line.ask({ ...contactOf(system, email, taken), headers });
      expect(answer.status).toBe(taken ? 422 : 201);
      if (taken) refused.add(email);
      else answered.set(email, answer.body.id);
    } catch (error) {
      if (!(error instanceof Interrupted || error instanceof Refused)) throw error;
      return;
    }
  }
}

const points = [
  ["before", 20, "begin immediate"],
  ["after", 20, "begin immediate"],
  ["before", 60, "savepoint change"],
  ["after", 60, "savepoint change"],
  ["before", 20, "rollback to change"],
  ["after", 20, "rollback to change"],
  ["before", 60, "release change"],
  ["after", 60, "release change"],
  ["before", 20, "commit"],
  ["after", 20, "commit"],
] as const;

test("kill -9 at a step of a group commit loses no confirmed change", async () => {
  await using system = await openSystem("sqlite");
  const written: Written = { answered: new Map(), refused: new Set() };
  const first = await system.serve("--no-worker");
  const line = new KeepAliveConnection(first.url);
  const { body } = await line.ask(contactOf(system, "tay@example.com", true));
  written.answered.set(body.email, body.id);
  await first.terminate();

  let unanswered = 0;
  for (const [moment, count, text] of sampleOf("Faults: steps of a group commit", 5, points)) {
    const point = `${moment} ${count} ${text}`;
    await using killed = startKilled(system, point, "serve", "--port", "0", "--no-worker");
    const [, url] = await killed.match(/crm listening on (\S+)/);
    const before = written.answered.size;
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(system, url!, writer, written)));
    expect(await killed.finished, point).toMatchObject({ signal: "SIGKILL", stderr: "" });
    expect(written.answered.size, point).toBeGreaterThan(before + writers);

    const contacts = await system.rows<{ email: string }>("select email from contacts");
    expect(contacts.filter(({ email }) => written.refused.has(email))).toEqual([]);
    // Before the commit nothing of the group is there; after it everything is, even without responses.
    const came = contacts.length - written.answered.size - unanswered;
    if (moment === "after" && text === "commit") expect(came, point).toBeGreaterThan(0);
    else expect(came, point).toBe(0);
    unanswered += came;
  }

  const last = await system.serve();
  await expectInvariants(system, last.url, written.answered);
  await last.terminate();
  await expectPositions(system);
});
