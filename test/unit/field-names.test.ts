/** What is wrong with a field is told of the flag or the argument by which it was given. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CrmCommand } from "../../terminal/command.ts";
import { tellByFlags } from "../../terminal/help/field-names.ts";
import type { CommandLine } from "../../terminal/help/field-names.ts";

const names = ["url", "redirect-uri", "contact", "location", "lost-reason", "due", "value", "password-stdin", "state"];
const line = (given: CommandLine["given"] = {}): CommandLine => ({
  flags: Object.fromEntries(names.map((name) => [name, {}])),
  args: { name: {} },
  fields: { target_url: "url" },
  given,
});
const https = "must begin with https://.";
const two = { "redirect-uri": ["https://a.example", "http://b.example"] };

test.each<[field: string, sentence: string, told: string, given?: CommandLine["given"]]>([
  ["name", "The name field is required.", "NAME is required."],
  ["name", "The name has already been taken.", "NAME has already been taken."],
  ["lost_reason", "The lost reason field is required.", "--lost-reason is required."],
  ["target_url", `The target url field ${https}`, `--url ${https}`],
  ["contact_id", "The contact id field must name a contact.", "--contact must name a contact."],
  ["location_ids", "The location ids field must name a location.", "--location must name a location."],
  ["due_at", "The due at field must be a time.", "--due must be a time."],
  ["value_cents", "The value cents field is too large.", "--value is too large."],
  ["password", "The password field is too short.", "--password-stdin is too short."],
  ["redirect_uris", "The redirect uris field is required.", "--redirect-uri is required."],
  ["redirect_uris.0", `The redirect uris.0 field ${https}`, `--redirect-uri ${https}`, { "redirect-uri": ["x"] }],
  ["redirect_uris.1", `The redirect uris.1 field ${https}`, `--redirect-uri "http://b.example" ${https}`, two],
  ["status", "The status field must be open.", "The status field must be open."],
  ["contact_id", "The contact id is that of another.", "The contact id is that of another."],
  ["state", "A sentence of another form.", "A sentence of another form."],
  ["__proto__", "The __proto__ field is unknown.", "The __proto__ field is unknown."],
])("%s: %s", (field, sentence, told, given = {}) => {
  expect(tellByFlags(Object.fromEntries([[field, [sentence]]]), line(given))).toBe(told);
});

describe("what a command names for its fields is one of its flags or arguments", () => {
  const folder = join(import.meta.dirname, "../../commands");
  test.each(globSync("**/*.ts", { cwd: folder }))("%s", async (path) => {
    const { default: command } = (await import(join(folder, path))) as { default: typeof CrmCommand };
    const taken = Object.keys({ ...command.flags, ...command.args });
    for (const name of Object.values(command.fields)) expect(taken).toContain(name);
  });
});
