/**
 * What belongs to an operation beside its row: run this after writing one, and each failure says what to add and in which file. Nothing is
 * listed that no folder declares.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import type { AnyOperation } from "../../src/operation/operation.ts";
import { rightsOf } from "../../src/operation/roles.ts";
import { endpoints, operations } from "../../src/operations.ts";
import { grants } from "../../src/vocabulary/scopes.ts";
import { findFlag } from "../../terminal/help/field-names.ts";
import type { CommandLine } from "../../terminal/help/field-names.ts";
import { leastRoleOf, missingInputOf } from "../support/specimens.ts";

const root = join(import.meta.dirname, "../..");
const names = operations.map(({ name }) => name);
const addressed = new Set(endpoints.map(({ operation }) => operation.name));

/** For programs alone: at the terminal another command does as much, or nothing needs it. */
const withoutCommand = new Set(
  `getCredential upsertContact bulkUpsertContacts
  listMessages
  listChannels listUsers
  getSampleEvent registerHook getDelivery tryWorkflow uploadContacts`.split(/\s+/),
);

/** Operations for pages alone; the operator has another command. */
const forPages = new Set(
  `getApiKey
  browseHooks browseDeliveries countDeliveries
  showApp listInstalledApps getInstall getChargeOfApp
  getPerson signOutUser getLocation updateAccount`.split(/\s+/),
);

/** The text of every file below `folder`. */
function sourcesOf(folder: string): string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).map((path) => readFileSync(join(root, path), "utf8"));
}

test("src/operations.ts lists every operation that is declared, once", async () => {
  const declared: string[] = [];
  const missing: string[] = [];
  for (const path of globSync("src/**/*.operations.ts", { cwd: root })) {
    const exported = Object.entries((await import(join(root, path))) as Record<string, AnyOperation>);
    // The name of the constant is the operation's.
    expect(exported.map(([name]) => name)).toEqual(exported.map(([, { name }]) => name));
    declared.push(...exported.map(([name]) => name));
    for (const [name, { read }] of exported)
      if (!names.includes(name))
        missing.push(
          `src/operations.ts does not list ${name} of ${path}. Add  at("${read === undefined ? "POST" : "GET"}", "/…", ${name}, 200),  or where it has no address  ${name},`,
        );
  }
  expect(missing).toEqual([]);
  expect(names.toSorted()).toEqual(declared.toSorted());
});

test("every operation has its least role decided in test/support/specimens.ts", () => {
  const missing = operations.filter(({ name }) => !leastRoleOf.has(name));
  expect(
    missing.map(
      ({ name, may }) =>
        `test/support/specimens.ts says of no role that it may do ${name}. Add ${name} to leastRoles: to ${may.role}, if its row is right.`,
    ),
  ).toEqual([]);
  expect([...leastRoleOf.keys()].filter((name) => !names.includes(name))).toEqual([]);
});

test("every operation that takes a body has a valid one in test/support/specimens.ts", () => {
  expect(operations.flatMap((operation) => missingInputOf(operation) ?? [])).toEqual([]);
});

test("every operation has a command", () => {
  const sources = sourcesOf("{commands,terminal}");
  const isCarriedOut = (name: string) => sources.some((source) => new RegExp(`\\b${name}\\b`).test(source));
  expect(
    names
      .filter((name) => !withoutCommand.has(name) && !forPages.has(name) && !isCarriedOut(name))
      .map(
        (name) =>
          `No command carries out ${name}. Add a file below commands/ that calls  this.carryOut(${name}, flags, …)  or, if it is for programs alone, name it in withoutCommand here, or, if it is for pages alone, in forPages.`,
      ),
  ).toEqual([]);
  expect([...forPages].filter((name) => !names.includes(name) || isCarriedOut(name))).toEqual([]);
  expect([...withoutCommand].filter((name) => !addressed.has(name) || isCarriedOut(name))).toEqual([]);
  const pages = sourcesOf("src/pages");
  expect([...forPages].filter((name) => isCarriedOut(name) || !pages.some((page) => page.includes(name)))).toEqual([]);
});

/** Fields without a flag of their name: what gives them at the terminal, or why nothing does. */
const givenOtherwise = {
  "setUp.sign_in": "--owner-password-stdin, or the question",
  "setUp.keep": "for crm serve, which keeps the first key in a file",
  "createContact.custom_fields": "--field",
  "importContacts.records": "FILE",
  "importContacts.options": "the other flags",
  "updateContact.custom_fields": "--field",
  "mergeContacts.contact_id": "OTHER",
  "addNote.body": "TEXT",
  "createOpportunity.custom_fields": "--field",
  "updateOpportunity.custom_fields": "--field",
  "updateTask.completed": "crm tasks done, crm tasks reopen",
  "startConversation.attachment_ids": "--attach",
  "updateConversation.status": "crm conversations close, crm conversations reopen",
  "updateConversation.unread": "crm conversations read",
  "sendMessage.kind": "--note",
  "sendMessage.attachment_ids": "--attach",
  "enrollMatching.after": "the command takes the pieces one after another",
  "rotateWorkflowSecret.grace_seconds": "--grace",
  "setWorkflowSecret.value": "stdin",
  "retryFailedRuns.since": "--failed-since",
  "updateChannel.status": "crm channels pause, crm channels resume",
  "setChannelStatus.status": "crm channels pause, crm channels resume",
  "endSessions.id": "--session",
  "endSessions.except": "for the account page, which keeps its own session",
  "createApiKey.expires_at": "--expires-in",
  "rotateHookSecret.grace_seconds": "--grace",
  "replayFailed.since": "--failed-since",
  "refundCharge.left_cents": "for the form, which refunds once of what it showed",
};

test("every field of an operation can be given to one of its commands", async () => {
  const commands = await Promise.all(
    globSync("commands/**/*.ts", { cwd: root }).map(async (path) => ({
      source: readFileSync(join(root, path), "utf8"),
      command: ((await import(join(root, path))) as { default: CommandLine }).default,
    })),
  );
  const missing = operations.flatMap(({ name, input }) => {
    const own = commands.filter(({ source }) => new RegExp(`\\b${name}\\b`).test(source));
    if (own.length === 0 || !(input instanceof z.ZodObject)) return [];
    return Object.keys(input.shape)
      .filter((field) =>
        own.every(
          ({ command: { flags = {}, args = {}, fields = {} } }) =>
            findFlag(field, { flags, args, fields }) === undefined,
        ),
      )
      .map((field) => `${name}.${field}`);
  });
  expect(missing).toEqual(Object.keys(givenOtherwise));
});

test("every operation with an address has a table of its own in test/contract", () => {
  const tables = new Set(
    sourcesOf("test/contract").flatMap((source) =>
      [...source.matchAll(/^contract\("(\w+)"/gm)].map(([, name]) => name!),
    ),
  );
  expect(
    [...addressed]
      .filter((name) => !tables.has(name))
      .map((name) => `Add test/contract/${toKebab(name)}.test.ts with  contract("${name}", [row({ … })]);`),
  ).toEqual([]);
});

function toKebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

test("no scope is asked for at an address that no credential can have", () => {
  expect(endpoints.filter(({ operation }) => operation.may.scope === "none").map(({ path }) => path)).toEqual([]);
});

test("src/operation/ alone compares scopes and roles", () => {
  const comparison =
    /\bscopes\.(includes|some|every|indexOf|find)\(|\brole\s*[!=]==|\brole\s*=\s*'|[!=]==\s*"(owner|manager|member|operator)"/;
  const comparing = globSync("{src,commands,terminal}/**/*.ts", { cwd: root }).filter(
    (path) => !/^src\/(operation|vocabulary)\//.test(path) && comparison.test(readFileSync(join(root, path), "utf8")),
  );
  expect(comparing).toEqual([]);
});

test.each(operations.map((row) => [row.name, row] as const))(
  "%s is open to its least role by scope as well",
  (_, { may }) => {
    if (may.role === "operator" || may.scope === "none" || may.scope === "any") return;
    expect(grants(rightsOf[may.role].scopes, may.scope)).toBe(true);
  },
);
