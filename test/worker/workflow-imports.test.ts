/** Imported contacts start the workflows whose trigger takes imports, and no other; the report of the import tells which. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importContacts } from "../../src/crm/contacts/transfer/contact.import.ts";
import type { ImportOptions } from "../../src/crm/contacts/transfer/contact.import.ts";
import type { CsvRecord } from "../../src/crm/contacts/transfer/csv-file.ts";
import { describeImport } from "../../terminal/output/import-report.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";
import { payloadOf } from "../support/events.ts";

async function* toRecords(lines: readonly string[]): AsyncGenerator<CsvRecord> {
  for (const [place, line] of lines.entries())
    yield { line: place + 1, cells: line.split(","), bytes: 0, delimiter: "," };
}

const rest = { rest: { type: "wait", for: "1d" } } as const;

describe.each([...databaseKinds])("an import on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  async function imported(lines: readonly string[], options: ImportOptions = {}) {
    const caller = await world.service.inLocation(world.acme, world.north);
    return importContacts(caller, toRecords(lines), options);
  }

  async function runsOf(workflow: number): Promise<number> {
    const [found] = await world.service.database.rows<{ count: number }>(
      "select count(*) as count from workflow_runs where workflow_id = ?",
      [workflow],
    );
    return Number(found!.count);
  }

  test.each([
    ["contact.created", {}, 0],
    ["contact.created", { imports: false }, 0],
    ["contact.created", { imports: true }, 2],
    ["contact.created", { imports: true, filter: { "context.first_name": "Ada" } }, 1],
    ["contact.updated", { imports: true }, 1],
    ["contact.tag_added", {}, 0],
    ["contact.tag_added", { imports: true }, 2],
  ] as const)("starts a trigger of %s with %j for %i of three rows", async (event, more, starts) => {
    const name = `${event} ${JSON.stringify(more)} ${kind}`.replaceAll(/\W/gu, "");
    const workflow = await givenWorkflow(world, rest, { trigger: { event, ...more } as never });
    await imported(["first_name,email", `Grace,${name}.grace@x.com`]);
    await world.service.worker.runOnce();
    const before = await runsOf(workflow);
    await imported([
      "first_name,email,tags",
      `Ada,${name}.ada@x.com,lead`,
      `Ben,${name}.ben@x.com,lead`,
      `Hopper,${name}.grace@x.com,`,
    ]);
    await world.service.worker.runOnce();
    expect((await runsOf(workflow)) - before).toBe(starts);
    if ("imports" in more && more.imports) return;
    const { body } = await world.send("owner", "GET", `/workflows?location_id=${world.north}`);
    const { last_7_days: counts } = body.data.find(({ id }: { id: number }) => id === workflow);
    expect(counts).toMatchObject({ started: 0, imported: event === "contact.created" ? 3 : 2 });
  });

  test("tells, in a dry run as well, which workflows start and for how many contacts at most", async () => {
    await world.service.database.transaction(({ rows }) => rows("update workflows set trigger_event = null"));
    const trigger = { event: "contact.created" } as const;
    const silent = await givenWorkflow(world, rest, { trigger });
    const filter = { first_name: "Ada" };
    const started = await givenWorkflow(world, rest, { trigger: { ...trigger, imports: true, filter } as never });
    await givenWorkflow(world, rest, { trigger: { event: "contact.updated", imports: true } as never });
    await givenWorkflow(world, rest, { trigger: { event: "note.added" } });
    const lines = ["first_name,email", "Ada,told.ada@x.com", "Ben,told.ben@x.com", "Ben,told.ben@x.com", "Eve,"];
    const name = expect.any(String);
    const workflows = [
      { id: silent, name, event: "contact.created", contacts: 2, starts: false, filtered: false },
      { id: started, name, event: "contact.created", contacts: 2, starts: true, filtered: true },
    ];
    const dryRun = await imported(lines, { dryRun: true });
    expect(dryRun).toMatchObject({ created: 2, workflows });
    expect(describeImport(dryRun, { dryRun: true }).filter((line) => line.startsWith("workflow"))).toEqual([
      expect.stringMatching(/ starts for none of 2 contacts with contact.created: its trigger does not take imports$/u),
      expect.stringMatching(/ would start for those of 2 contacts with contact.created that match its filter$/u),
    ]);
    expect(await imported(lines)).toMatchObject({ created: 2, workflows });
    expect(await imported(lines)).toMatchObject({ created: 0, workflows: [] });
    await world.service.worker.runOnce();
    expect([await runsOf(silent), await runsOf(started)]).toEqual([0, 1]);
  });

  test("continues a run that waits for the event, or whose goal the contact now meets", async () => {
    const contact = await givenContact(world, { email: `waiting.${kind}@x.com` });
    const listening = await givenWorkflow(world, { listen: { type: "wait", event: "contact.updated" } });
    const chasing = await givenWorkflow(world, {
      rest: { type: "wait", for: "9d", next: "won" },
      won: { type: "goal", when: { first_name: "Imported" } },
    });
    const runs = [await givenRun(world, listening, contact.id), await givenRun(world, chasing, contact.id)];
    await world.service.worker.runOnce();
    await imported(["first_name,email", `Imported,waiting.${kind}@x.com`]);
    await world.service.worker.runOnce();
    for (const run of runs) expect(await runOf(world, run)).toMatchObject({ status: "completed" });
  });

  test("leaves the data of its events as they are", async () => {
    await imported(["first_name,email", `Ada,data.${kind}@x.com`]);
    const byHand = await givenContact(world, { first_name: "Ada", email: `hand.${kind}@x.com` });
    const events = await world.service.database.rows<{ data: string; cause: string | null }>(
      "select data, cause from events where event = 'contact.created' order by id desc limit 2",
    );
    const [hand, fromFile] = events.map(({ data }) => Object.keys(payloadOf(data)));
    expect(byHand.id).toBeGreaterThan(0);
    expect(events.map(({ cause }) => cause)).toEqual([null, "import"]);
    expect(fromFile).toEqual(hand);
  });
});
