/** Database errors about a rejected row contain the constraint and the code, never a value, so no data is logged. */
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { Workspace } from "../../src/tenancy/workspaces/workspace.entity.ts";
import type { Transaction } from "../../src/storage/database.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import type { DatabaseKind } from "../support/databases.ts";

const value = "Ada of 12 Hidden Lane";

const rules: Record<DatabaseKind, string[]> = {
  sqlite: [
    "create unique index workspaces_name on workspaces (name)",
    `create trigger no_hidden before insert on workspaces when new.name like '%Hidden%'
     begin select raise(abort, 'no_hidden'); end`,
  ],
  postgres: [
    "create unique index workspaces_name on workspaces (name)",
    "alter table workspaces add constraint no_hidden check (name not like '%Hidden%')",
  ],
};

const insert = "insert into workspaces (name, created_at) values (?, ?)";
const row = [value, new Date(0)];
const twice = ["Acme", new Date(0)];

type Attempt = [what: string, kinds: readonly DatabaseKind[], told: RegExp, (open: Transaction) => Promise<unknown>];

const attempts: Attempt[] = [
  ["a rule that a row breaks", databaseKinds, /no_hidden/, ({ rows }) => rows(insert, row)],
  ["the same in a statement that is sent once", databaseKinds, /no_hidden/, ({ rowsOnce }) => rowsOnce(insert, row)],
  [
    "the same through the EntityManager",
    databaseKinds,
    /no_hidden/,
    async ({ em }) => {
      em.create(Workspace, { name: value, createdAt: new Date(0) });
      await em.flush();
    },
  ],
  [
    "a value that is there already",
    databaseKinds,
    /workspaces.name/,
    async ({ rows }) => {
      await rows(insert, twice);
      await rows(insert, twice);
    },
  ],
  ["a value of another type", ["postgres"], /22P02/, ({ rows }) => rows("select cast(? as bigint)", [value])],
  ["a statement with the value in it", ["postgres"], /22007/, ({ rows }) => rows(`select cast('${value}' as date)`)],
];

describe.each(databaseKinds)("on %s", (kind) => {
  test.each(attempts.filter(([, kinds]) => kinds.includes(kind)))("%s", async (_what, _kinds, told, attempt) => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    await database.changeSchema(async ({ rowsOnce }) => {
      for (const rule of rules[kind]) await rowsOnce(rule);
    });
    const error = await database.transaction(attempt).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    const logged = inspect(error, { depth: 9, showHidden: true });
    expect(logged).toMatch(told);
    expect(logged).not.toMatch(/Hidden|Failing row|Acme/);
  });
});
