/** The installation row: written once by concurrent starts, and a wrong master key is detected at the start. */
import { describe, expect, it } from "vitest";
import { createMasterKeys, mintMasterKey } from "../../src/kit/secrets/master-keys.ts";
import { checkMasterKeys, readWorkerSeen, workerSeen } from "../../src/storage/installation/installation.ts";
import { MasterKeyError } from "../../src/storage/installation/master-key-file.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { ManualClock } from "../support/manual-clock.ts";

const clock = new ManualClock();

describe.each(databaseKinds)("the installation on %s", (kind) => {
  it("is written once by concurrent starts, and all of them accept it", async () => {
    await using fresh = await openFresh(kind);
    const masterKeys = createMasterKeys([mintMasterKey()]);
    const databases = [fresh.database, await fresh.openAgain(), await fresh.openAgain()];
    await Promise.all(databases.map((database) => checkMasterKeys(database, masterKeys, clock)));
    await checkMasterKeys(fresh.database, masterKeys, clock);
    expect(await fresh.database.rows("select id, created_at from installation")).toEqual([
      { id: 1, created_at: clock.now().getTime() },
    ]);
  });

  it("accepts only one of two keys when two processes start concurrently", async () => {
    await using fresh = await openFresh(kind);
    const starts = [fresh.database, await fresh.openAgain()].map((database) =>
      checkMasterKeys(database, createMasterKeys([mintMasterKey()]), clock),
    );
    const outcomes = await Promise.allSettled(starts);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("refuses another key with an error that names the setting, and accepts the old key beside a new one", async () => {
    await using fresh = await openFresh(kind);
    const [old, fresher, foreign] = [mintMasterKey(), mintMasterKey(), mintMasterKey()];
    await checkMasterKeys(fresh.database, createMasterKeys([old]), clock);
    const refused = checkMasterKeys(fresh.database, createMasterKeys([foreign]), clock);
    await expect(refused).rejects.toBeInstanceOf(MasterKeyError);
    await expect(refused).rejects.toThrow("CRM_SECRET_KEYS");
    await checkMasterKeys(fresh.database, createMasterKeys([fresher, old]), clock);
  });

  it("reports when a worker was last seen", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    expect(await readWorkerSeen(database)).toBeNull();
    await checkMasterKeys(database, createMasterKeys([mintMasterKey()]), clock);
    expect(await readWorkerSeen(database)).toBeNull();
    const at = new Date("2026-03-01T12:00:00.123Z");
    await workerSeen(database, at);
    expect(await readWorkerSeen(database)).toEqual(at);
  });
});
