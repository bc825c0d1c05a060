/** The hash chain of the audit log: entries that are changed, removed, added or moved are found, and pruning keeps it verifiable. */
import { describe, expect, it } from "vitest";
import { createMasterKeys, mintMasterKey } from "../../src/kit/secrets/master-keys.ts";
import { chainEntries, pruneEntries } from "../../src/operation/audit/chain.ts";
import { recordAudit } from "../../src/operation/audit/record-audit.ts";
import { verifyAuditLog } from "../../src/operation/audit/verify.ts";
import type { Database } from "../../src/storage/database.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { ManualClock } from "../support/manual-clock.ts";

const vault = createMasterKeys([mintMasterKey()]);
const otherVault = createMasterKeys([mintMasterKey()]);

function write(database: Database, clock: ManualClock, count: number): Promise<void> {
  return database.transaction(async (change) => {
    for (let id = 1; id <= count; id++)
      recordAudit(change, clock.now(), {
        operation: "createTag",
        actor: { type: "user", id: 7 },
        workspaceId: 1,
        locationId: null,
        address: "192.0.2.1",
        subject: { noun: "tag", id },
        details: { fields: ["name"] },
      });
  });
}

const verify = (database: Database, expected?: Parameters<typeof verifyAuditLog>[2]) =>
  database.snapshot((rows) => verifyAuditLog(rows, vault, expected));

/** What an intruder with the database alone may do, and what is said of it. */
const tampering: readonly (readonly [string, readonly string[], RegExp])[] = [
  ["a changed actor", ["update audit_entries set actor_id = 8 where position = 5"], /^Entry 5 \(id \d+\) was changed/],
  [
    "a changed time",
    [
      "update audit_entries set created_at = (select created_at from audit_entries where position = 1) where position = 9",
    ],
    /^Entry 9/,
  ],
  ["a changed detail", ["update audit_entries set details = null where position = 12"], /^Entry 12/],
  ["a removed entry", ["delete from audit_entries where position = 5"], /^Entry 5 is missing/],
  ["the removed last entry", ["delete from audit_entries where position = 12"], /^Entry 12 is missing/],
  [
    "a removed entry whose gap is closed",
    [
      "delete from audit_entries where position = 12",
      "update audit_log set last_position = 11, last_hash = (select hash from audit_entries where position = 11)",
    ],
    /do not match their seal/,
  ],
  [
    "two entries that changed places",
    [
      "update audit_entries set position = -1 where position = 3",
      "update audit_entries set position = 3 where position = 4",
      "update audit_entries set position = 4 where position = -1",
    ],
    /^Entry 3 \(id \d+\) was changed or moved/,
  ],
  [
    "an added entry",
    [
      `insert into audit_entries (workspace_id, operation, actor_type, actor_id, created_at, position, hash)
     select 1, 'createTag', 'user', 9, created_at, 13, hash from audit_entries where position = 12`,
    ],
    /^Entry 13/,
  ],
  [
    "all of it removed",
    [
      "delete from audit_entries",
      "update audit_log set last_position = 0, last_hash = '', anchor_position = 0, anchor_hash = ''",
    ],
    /do not match their seal/,
  ],
  [
    "the oldest removed, as if retention had done so",
    [
      "update audit_log set anchor_position = 4, anchor_hash = (select hash from audit_entries where position = 4)",
      "delete from audit_entries where position <= 4",
    ],
    /do not match their seal/,
  ],
];

describe.each(databaseKinds)("on %s", (kind) => {
  it.each(tampering)("%s is found", async (_what, statements, message) => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    await write(database, new ManualClock(), 6);
    const clock = new ManualClock();
    clock.advance({ hours: 1 });
    await write(database, clock, 6);
    await chainEntries(database, vault);
    expect(await verify(database)).toMatchObject({ verified: 12, unchained: 0, fault: null });
    for (const statement of statements) await database.transaction(({ rows }) => rows(statement));
    const { fault } = await verify(database);
    expect(fault?.message).toMatch(message);
  });

  it("is chained by workers side by side in one order, and verified under a rotated master key", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    const other = await fresh.openAgain();
    const clock = new ManualClock();
    expect(await verify(database)).toMatchObject({ verified: 0, fault: null });
    const chainAll = async (one: Database) => {
      while ((await chainEntries(one, vault)) > 0);
    };
    await Promise.all([
      ...Array.from({ length: 10 }, (_, part) => write(part % 2 === 0 ? database : other, clock, 230)),
      chainAll(database),
      chainAll(other),
    ]);
    await Promise.all([chainAll(database), chainAll(other)]);
    const { head, ...verdict } = await verify(database);
    expect(verdict).toEqual({ verified: 2300, unchained: 0, pruned_to: 0, fault: null });
    expect(head.position).toBe(2300);
    // Another master key neither verifies nor goes on.
    expect((await database.snapshot((rows) => verifyAuditLog(rows, otherVault))).fault?.position).toBe(null);
    await write(database, clock, 1);
    await expect(chainEntries(database, otherVault)).rejects.toThrow("crm audit verify");
    expect(await verify(database)).toMatchObject({ unchained: 1, fault: null });
  });

  it("is pruned from its oldest end, and verified from the anchor", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    const clock = new ManualClock();
    await write(database, clock, 1500);
    clock.advance({ days: 10 });
    await write(database, clock, 5);
    while ((await chainEntries(database, vault)) > 0);
    const { head } = await verify(database);
    const before = clock.now();
    const pruned: number[] = [];
    for (let count = 1; count > 0;) pruned.push((count = await pruneEntries(database, vault, before)));
    expect(pruned).toEqual([1000, 500, 0]);
    expect(await verify(database, head)).toMatchObject({ verified: 5, pruned_to: 1500, fault: null });
    // A position that was noted before and is replaced, as in a database that was set back.
    const replaced = { position: head.position, hash: "0".repeat(64) };
    expect((await verify(database, replaced)).fault?.message).toBe("Entry 1505 is not the one that you expect.");
    await write(database, clock, 3);
    await chainEntries(database, vault);
    expect(await verify(database)).toMatchObject({ verified: 8, pruned_to: 1500, fault: null });
    expect(await pruneEntries(database, vault, new Date(clock.now().getTime() + 1))).toBe(8);
    expect(await verify(database)).toMatchObject({ verified: 0, pruned_to: 1508, fault: null });
  });
});
