/** Creates the heaviest contact that a client can create: every list full, every text of maximum length. */
import { limits } from "../../src/vocabulary/limits.ts";
import { copyRows } from "../support/copy-rows.ts";
import { inTransaction } from "./change-rows.ts";
import type { TestedSystem } from "./tested-system.ts";

/** Control characters take the most bytes in JSON, six each; a text must not consist of them only. */
const wide = (first: string, length: number): string => first + "\u0001".repeat(length - 1);

/** A name, which must not contain control characters: four bytes per character. */
const wideName = (first: string, length: number): string => first + "😀".repeat(length - 1);

/** Resolves to its id. `noteText`: the text of its notes; two letters distinguish its texts from those of other contacts. */
export async function makeHeaviest(
  system: TestedSystem,
  url: string,
  { noteText, letters: [now, then] }: { noteText: string; letters: readonly [string, string] },
): Promise<number> {
  const named = await system.run("keys", "create", wideName("K", limits.name), "--json");
  const { key } = JSON.parse(named.stdout) as { key: string };

  async function send(method: string, path: string, body: object): Promise<number> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ location_id: system.location, ...body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
    // Responses of creations start with the id; that of an updated contact may be megabytes.
    return Number(/^\{(?:"conversation":\{)?"id":(\d+)/.exec(text)?.[1]);
  }

  /** Every field of a contact, with texts of maximum length that start with `first`. */
  function fields(first: string): object {
    const texts = Object.entries(limits.contact).map(([field, length]) => [field, wide(first, length)]);
    return {
      ...Object.fromEntries(texts),
      email: `${first.repeat(limits.contact.email - 5)}@x.co`,
      phone: `no ${wide(first, limits.contact.phone - 3)}`,
      timezone: first === now ? "America/Argentina/ComodRivadavia" : "America/North_Dakota/New_Salem",
      dnd: first === now,
    };
  }

  const id = await send("POST", "/contacts", fields(now));
  for (let number = 0; number < limits.contactTags; number++) {
    const name = wideName(`${now}${number}-`, limits.tagName - String(number).length - 1);
    const tag_id = await send("POST", "/tags", { name, color: "#aabbcc" });
    await send("POST", `/contacts/${id}/tags`, { tag_id });
  }
  // One record of each kind by a request, as a client makes it, and the others as its copies.
  await send("POST", `/contacts/${id}/notes`, { body: `!${noteText.repeat(limits.noteBody - 1)}` });
  const stage = `${wideName("S", limits.name)}:lost:#aabbcc`;
  const { stdout } = await system.run("pipelines", "create", wideName("P", limits.name), "--stage", stage, "--json");
  const pipeline = JSON.parse(stdout) as { id: number; stages: [{ id: number }] };
  await send("POST", "/opportunities", {
    contact_id: id,
    pipeline_id: pipeline.id,
    stage_id: pipeline.stages[0].id,
    name: wide("O", limits.name),
    lost_reason: wide("L", limits.lostReason),
  });
  await send("POST", "/tasks", { contact_id: id, title: wide("T", limits.taskTitle), due_at: "2026-03-01" });
  const opened = await system.run("channels", "create", wideName("C", limits.name), "--kind", "messenger", "--json");
  const channel = JSON.parse(opened.stdout) as { id: number };
  const text = { body: wide("M", limits.preview), subject: wide("S", limits.subject) };
  const conversation = await send("POST", "/conversations", { contact_id: id, channel_id: channel.id, ...text });
  // Closed: a contact has one open conversation in a channel.
  await send("PATCH", `/conversations/${conversation}`, { status: "closed" });
  await send("PATCH", `/contacts/${id}`, fields(then));
  await inTransaction(system, async ({ rowsOnce }) => {
    for (const table of ["notes", "opportunities", "tasks", "conversations"])
      await copyRows(rowsOnce, table, `contact_id = ${id}`, {}, limits.embeddedLimit - 1);
    const event = `id = (select max(id) from events where contact_id = ${id})`;
    await copyRows(rowsOnce, "events", event, {}, limits.embeddedLimit - 1);
  });
  return id;
}
