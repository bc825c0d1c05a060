/** What the rows of nouns need beside the usual seed: contacts to merge, custom fields, and a custom value of every contact. */
import { connectTo } from "./connection.ts";
import type { Filled } from "./filled.ts";
import { numbers, timeOn } from "./seed-sql.ts";

/** Contacts that have the same code. */
export const contactsOfCode = 20;

export function codeOf(contact: number): string {
  return `code ${Math.ceil(contact / contactsOfCode)}`;
}

/** Gives the first contacts, two for each of `pairs`, so many neighbours: as many notes as opportunities, tasks and conversations. */
export async function seedPairs({ url, until, owners }: Filled, pairs: number, neighbours: number): Promise<void> {
  const connection = await connectTo(url, { hurried: true });
  const each = numbers(neighbours / 4);
  const now = timeOn(connection.dialect)(String(until));
  const paired = `cross join numbers where contacts.id <= ${pairs * 2} order by contacts.id, n`;
  await connection.run(`${each} insert into notes (contact_id, body, pinned, user_id, created_at, updated_at)
    select contacts.id, 'Note ' || n, n % 10 = 0, ${owners[0]!}, ${now}, ${now} from contacts ${paired}`);
  await connection.run(`${each} insert into opportunities (location_id, contact_id, pipeline_id, stage_id, status, name, value_cents,
      stage_entered_at, created_at, updated_at)
    select contacts.location_id, contacts.id, pipelines.id, stages.id, stages.kind, 'Deal ' || n, n * 100, ${now}, ${now}, ${now}
    from contacts join pipelines on pipelines.location_id = contacts.location_id
      join stages on stages.pipeline_id = pipelines.id and stages.place = 1 ${paired}`);
  await connection.run(`${each} insert into tasks (location_id, contact_id, title, due_at, created_at)
    select contacts.location_id, contacts.id, 'Task ' || n, ${now}, ${now} from contacts ${paired}`);
  await connection.run(`${each} insert into conversations (location_id, contact_id, contact_key, channel_id, kind, status, subject, preview,
      last_message_at, last_inbound_at, unread_count, created_at)
    select location_id, contact_id, contact_key, channel_id, kind, 'closed', 'Prices ' || n, preview, last_message_at, last_inbound_at, 0,
      created_at from conversations cross join numbers where contact_id <= ${pairs * 2} order by contact_id, n`);
  await connection.run("analyze");
  await connection.close();
}

/** Defines a custom field on contacts; gives its id. */
export async function defineField(
  { apiKey }: Filled,
  port: number,
  field: { readonly name: string; readonly type: string },
): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/custom-fields`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ on: "contact", ...field }),
  });
  if (response.status !== 201) throw new Error(`a custom field was answered with ${response.status}`);
  return ((await response.json()) as { id: number }).id;
}

/** Gives every contact the code that codeOf tells. */
export async function seedCodes({ url, contacts }: Filled, fieldId: number): Promise<void> {
  const connection = await connectTo(url, { hurried: true });
  const code = `'code ' || ((id + ${contactsOfCode - 1}) / ${contactsOfCode})`;
  await connection.run(`insert into custom_values (contact_id, field_id, location_id, value, key)
    select id, ${fieldId}, location_id, '"' || ${code} || '"', ${code} from contacts where id <= ${contacts} order by id`);
  await connection.run(connection.dialect === "sqlite" ? "analyze custom_values" : "vacuum analyze custom_values");
  await connection.close();
}
