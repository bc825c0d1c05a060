/** What is said of a command that there is not, and that a guess never leads to destroying something. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { destructive } from "../../terminal/help/suggest.ts";
import { describeUnknown } from "../../terminal/help/unknown-command.ts";

const commands = new Set([
  "apps",
  "apps installs",
  "apps uninstall",
  "contacts",
  "contacts create",
  "contacts delete",
  "contacts list",
  "contacts update",
  "keys",
  "keys revoke",
  "keys rotate",
  "serve",
  "users",
  "users invite",
  "users remove",
]);

test.each([
  ["contact", '"crm contact" is not a command. Did you mean "crm contacts"? crm --help lists all commands.'],
  [
    "contact list",
    '"crm contact list" is not a command. Did you mean "crm contacts list"? crm --help lists all commands.',
  ],
  [
    "contacts lst",
    '"crm contacts lst" is not a command. Did you mean "crm contacts list"? crm contacts --help lists all commands.',
  ],
  [
    "contacts ls",
    '"crm contacts ls" is not a command. Did you mean "crm contacts list"? crm contacts --help lists all commands.',
  ],
  ["contacts rm 12", '"crm contacts rm 12" is not a command. crm contacts --help lists all commands.'],
  [
    "contacts delte 12",
    '"crm contacts delte 12" is not a command. Did you mean "crm contacts delete"? crm contacts --help lists all commands.',
  ],
  ["contacts dele", '"crm contacts dele" is not a command. crm contacts --help lists all commands.'],
  [
    "apps install",
    '"crm apps install" is not a command. Did you mean "crm apps installs"? crm apps --help lists all commands.',
  ],
  ["apps uninst", '"crm apps uninst" is not a command. crm apps --help lists all commands.'],
  [
    "keys rotat",
    '"crm keys rotat" is not a command. Did you mean "crm keys rotate"? crm keys --help lists all commands.',
  ],
  ["keys create", '"crm keys create" is not a command. crm keys --help lists all commands.'],
  [
    "users add",
    '"crm users add" is not a command. Did you mean "crm users invite"? crm users --help lists all commands.',
  ],
  ["keys delete", '"crm keys delete" is not a command. crm keys --help lists all commands.'],
  ["start", '"crm start" is not a command. Did you mean "crm serve"? crm --help lists all commands.'],
  ["contacts xylophone", '"crm contacts xylophone" is not a command. crm contacts --help lists all commands.'],
  ["serve now", "Too many arguments for crm serve: now. See crm serve --help."],
  ["--all", "--all is not a flag of crm; put flags after the command. crm --help lists all commands."],
])("crm %s", (words, sentence) => {
  expect(describeUnknown(words.split(" "), commands)).toBe(sentence);
});

test("every verb that asks before it destroys is known as destructive", () => {
  const folder = join(import.meta.dirname, "../../commands");
  const asking = globSync("*/*.ts", { cwd: folder }).filter((path) =>
    readFileSync(join(folder, path), "utf8").includes("...yesFlag"),
  );
  expect(asking.length).toBeGreaterThan(5);
  const verbs = asking.map((path) => /(\w[\w-]*)\.ts$/.exec(path)![1]!);
  expect(verbs.filter((verb) => !destructive.has(verb))).toEqual([]);
});
