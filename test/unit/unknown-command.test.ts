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
  ["contact", '"crm contact" is no command. Did you mean "crm contacts"? crm --help lists them all.'],
  ["contact list", '"crm contact list" is no command. Did you mean "crm contacts list"? crm --help lists them all.'],
  [
    "contacts lst",
    '"crm contacts lst" is no command. Did you mean "crm contacts list"? crm contacts --help lists them all.',
  ],
  [
    "contacts ls",
    '"crm contacts ls" is no command. Did you mean "crm contacts list"? crm contacts --help lists them all.',
  ],
  ["contacts rm 12", '"crm contacts rm 12" is no command. crm contacts --help lists them all.'],
  [
    "contacts delte 12",
    '"crm contacts delte 12" is no command. Did you mean "crm contacts delete"? crm contacts --help lists them all.',
  ],
  ["contacts dele", '"crm contacts dele" is no command. crm contacts --help lists them all.'],
  [
    "apps install",
    '"crm apps install" is no command. Did you mean "crm apps installs"? crm apps --help lists them all.',
  ],
  ["apps uninst", '"crm apps uninst" is no command. crm apps --help lists them all.'],
  ["keys rotat", '"crm keys rotat" is no command. Did you mean "crm keys rotate"? crm keys --help lists them all.'],
  ["keys create", '"crm keys create" is no command. crm keys --help lists them all.'],
  ["users add", '"crm users add" is no command. Did you mean "crm users invite"? crm users --help lists them all.'],
  ["keys delete", '"crm keys delete" is no command. crm keys --help lists them all.'],
  ["start", '"crm start" is no command. Did you mean "crm serve"? crm --help lists them all.'],
  ["contacts xylophone", '"crm contacts xylophone" is no command. crm contacts --help lists them all.'],
  ["serve now", "More arguments than crm serve takes: now. crm serve --help says more."],
  ["--all", "--all is no flag of crm itself; the flags of a command stand after it. crm --help lists them all."],
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
