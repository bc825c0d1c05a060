/** What is said of a command that there is not. */
import { expect, test } from "vitest";
import { describeUnknown } from "../../terminal/help/unknown-command.ts";

const commands = new Set([
  "contacts",
  "contacts create",
  "contacts delete",
  "contacts list",
  "contacts update",
  "keys",
  "keys revoke",
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
  [
    "contacts rm 12",
    '"crm contacts rm 12" is no command. Did you mean "crm contacts delete"? crm contacts --help lists them all.',
  ],
  ["users add", '"crm users add" is no command. Did you mean "crm users invite"? crm users --help lists them all.'],
  ["keys delete", '"crm keys delete" is no command. Did you mean "crm keys revoke"? crm keys --help lists them all.'],
  ["start", '"crm start" is no command. Did you mean "crm serve"? crm --help lists them all.'],
  ["contacts xylophone", '"crm contacts xylophone" is no command. crm contacts --help lists them all.'],
  ["serve now", "More arguments than crm serve takes: now. crm serve --help says more."],
  ["--all", "--all is no flag of crm itself; the flags of a command stand after it. crm --help lists them all."],
])("crm %s", (words, sentence) => {
  expect(describeUnknown(words.split(" "), commands)).toBe(sentence);
});
