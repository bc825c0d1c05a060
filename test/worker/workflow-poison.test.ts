/** Poison events, definitions and runs are logged with their context and skipped, and block no others. */
import { createConsola } from "consola";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made } from "../support/given.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

interface Told {
  readonly sentence: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

describe.each(sampleOf("poison in workflows", 1, databaseKinds))("poison on %s", (kind) => {
  let world: World;
  let service: Service;
  const told: Told[] = [];
  beforeAll(async () => {
    world = await createWorld(kind);
    const log = createConsola({
      level: 1,
      reporters: [{ log: ({ args: [sentence, fields] }) => told.push({ sentence, fields } as Told) }],
    });
    service = await openService(world.service.settings, { log, clock: world.clock });
  });
  afterAll(async () => {
    await service?.close();
    await world?.close();
  });

  /** Works until nothing is left to do; what was said meanwhile. */
  async function work(): Promise<Told[]> {
    told.length = 0;
    await service.worker.runOnce();
    return [...told];
  }

  const write = (text: string, ...params: (number | string)[]) =>
    world.service.database.transaction(({ rows }) => rows(text, params));
  const give = (workflow: number, replaced: string, by: string) =>
    write(
      "update workflow_versions set definition = replace(definition, ?, ?) where workflow_id = ?",
      replaced,
      by,
      workflow,
    );

  async function report(contactId: number): Promise<number> {
    const body = { location_id: world.north, contact_id: contactId, event: "form.submitted", data: {} };
    return (await made(world.send("owner", "POST", "/events", body))).id;
  }

  const note = { note: { type: "add_note", body: "fine" } } as const;
  const onForm = { trigger: { event: "form.submitted" } } as const;
  const startedBy = async (workflow: number) =>
    (
      await world.service.database.rows<{ contact_id: number }>(
        "select contact_id from workflow_runs where workflow_id = ? order by contact_id",
        [workflow],
      )
    ).map(({ contact_id }) => contact_id);

  /** From here on the database keeps no event about the contact that this is the condition of. */
  async function refuseEvents(name: string, condition: string): Promise<() => Promise<unknown>> {
    if (kind === "sqlite") {
      await write(`create trigger ${name} before insert on events when ${condition}
        begin select raise(abort, 'poison'); end`);
      return () => write(`drop trigger ${name}`);
    }
    await write(
      `create function ${name}() returns trigger language plpgsql as $$ begin raise exception 'poison'; end $$`,
    );
    await write(
      `create trigger ${name} before insert on events for each row when (${condition}) execute function ${name}()`,
    );
    return () => write(`drop trigger ${name} on events`);
  }

  it("an event that can never start a workflow is skipped, for that workflow alone", async () => {
    const contacts = [(await givenContact(world)).id, (await givenContact(world)).id, (await givenContact(world)).id];
    const filtered = { trigger: { event: "form.submitted", filter: { city: "Boston" } } } as const;
    const [sound, broken] = [await givenWorkflow(world, note, onForm), await givenWorkflow(world, note, filtered)];
    // As another version of the service might have written it.
    await give(broken, '"city"', '"constellation"');
    const events: number[] = [];
    for (const contact of contacts) events.push(await report(contact));
    const said = await work();
    expect(await startedBy(sound)).toEqual(contacts);
    expect(await startedBy(broken)).toEqual([]);
    expect(said).toEqual(
      events.map((event_id, place) => ({
        sentence: "an event could not start a workflow and is skipped",
        fields: {
          event_id,
          event: "form.submitted",
          workflow_id: broken,
          contact_id: contacts[place],
          error: expect.any(Error),
        },
      })),
    );
    expect(await work()).toEqual([]);
    await write("update workflows set trigger_event = null");
  });

  it("nor does what fails while it starts keep another start of the same event, or another event, from being taken", async () => {
    const contacts = [(await givenContact(world)).id, (await givenContact(world)).id, (await givenContact(world)).id];
    const [first, second] = [await givenWorkflow(world, note, onForm), await givenWorkflow(world, note, onForm)];
    const [poisoned] = [contacts[1]!];
    const events: number[] = [];
    for (const contact of contacts) events.push(await report(contact));
    const allow = await refuseEvents(
      "poison_start",
      `new.contact_id = ${poisoned} and new.event = 'workflow.run_started' and new.actor_id = ${first}`,
    );
    const said = await work();
    await allow();
    expect(await startedBy(first)).toEqual(contacts.filter((contact) => contact !== poisoned));
    expect(await startedBy(second)).toEqual(contacts);
    expect(
      said.map(({ fields: { event_id, workflow_id, contact_id } }) => ({ event_id, workflow_id, contact_id })),
    ).toEqual([{ event_id: events[1], workflow_id: first, contact_id: poisoned }]);
    await write("update workflows set trigger_event = null");
  });

  it("an event that cannot be read at all is skipped, and later ones are processed", async () => {
    const contacts = [(await givenContact(world)).id, (await givenContact(world)).id];
    const workflow = await givenWorkflow(world, note, onForm);
    const event = await report(contacts[0]!);
    await report(contacts[1]!);
    await write("update events set data = '{' where id = ?", event);
    const said = await work();
    expect(await startedBy(workflow)).toEqual([contacts[1]]);
    const ofWorkflows = said.filter(
      ({ sentence }) => sentence === "an event could not be processed for workflows and is skipped",
    );
    expect(ofWorkflows.map(({ fields }) => fields["event_id"])).toEqual([event]);
    await write("update workflows set trigger_event = null");
    await write("update events set data = '{}' where id = ?", event);
  });

  it("a definition that cannot be read fails its runs, and keeps nobody else from waking", async () => {
    const contact = (await givenContact(world)).id;
    const waits = { wait: { type: "wait", event: "form.submitted", next: "note" }, ...note } as const;
    const [broken, sound] = [await givenWorkflow(world, waits), await givenWorkflow(world, waits)];
    const runs = [await givenRun(world, broken, contact), await givenRun(world, sound, contact)];
    await work();
    await write("update workflow_versions set definition = '{' where workflow_id = ?", broken);
    world.clock.advance({ seconds: 1 });
    await report(contact);
    // A service that has not read it yet.
    const fresh = await openService(world.service.settings, {
      log: createConsola({ level: -999 }),
      clock: world.clock,
    });
    for (const minutes of [0, 1, 5]) {
      world.clock.advance({ minutes });
      await fresh.worker.runOnce();
    }
    await fresh.close();
    expect(await runOf(world, runs[0]!)).toMatchObject({ status: "failed", ended_reason: "error" });
    expect(await runOf(world, runs[1]!)).toMatchObject({ ended_reason: "finished" });
  });

  it("a run that can neither go on nor fail is put off, and the others go on", async () => {
    const [poisoned, other] = [(await givenContact(world)).id, (await givenContact(world)).id];
    const workflow = await givenWorkflow(world, note);
    const run = await givenRun(world, workflow, poisoned);
    const allow = await refuseEvents("poison_run", `new.contact_id = ${poisoned}`);
    for (const minutes of [0, 1, 5]) {
      world.clock.advance({ minutes });
      const fine = await givenRun(world, workflow, other);
      await work();
      expect(await runOf(world, fine)).toMatchObject({ ended_reason: "finished" });
    }
    const said = await work();
    expect(said).toEqual([]);
    expect(await runOf(world, run)).toMatchObject({ ended_reason: null });
    await allow();
    world.clock.advance({ minutes: 5 });
    await work();
    expect(await runOf(world, run)).toMatchObject({ ended_reason: "finished" });
  });

  it("a run that cannot be ended keeps no other workflow from being taken back", async () => {
    const contacts = [(await givenContact(world)).id, (await givenContact(world)).id];
    const waits = { wait: { type: "wait", event: "form.submitted" } } as const;
    const workflows = [await givenWorkflow(world, waits), await givenWorkflow(world, waits)];
    const runs = [
      await givenRun(world, workflows[0]!, contacts[0]!),
      await givenRun(world, workflows[1]!, contacts[1]!),
    ];
    await work();
    const allow = await refuseEvents("poison_end", `new.contact_id = ${contacts[0]}`);
    await write("update workflows set ends_runs_up_to = ? where id in (?, ?)", Math.max(...runs), ...workflows);
    world.clock.advance({ minutes: 1 });
    const said = await work();
    await allow();
    expect((await runOf(world, runs[0]!)).ended_reason).toBe(null);
    expect((await runOf(world, runs[1]!)).ended_reason).toBe("workflow_unpublished");
    expect(new Set(said.map(({ fields }) => fields["workflow_id"]))).toEqual(new Set([workflows[0]]));
    world.clock.advance({ minutes: 1 });
    expect(await work()).toEqual([]);
    expect((await runOf(world, runs[0]!)).ended_reason).toBe("workflow_unpublished");
  });
});
