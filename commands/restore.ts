/** `crm restore`: a backup into an empty database. */
import { Args, Flags } from "@oclif/core";
import { CrmCommand } from "../terminal/command.ts";
import { Stopped } from "../terminal/failures.ts";
import { stopSignal } from "../terminal/signals.ts";
import type { StopSignal } from "../terminal/signals.ts";

export default class Restore extends CrmCommand {
  static override description = `Restores a backup into an empty database: completely, or not at all.

The database may be of the other kind: a backup of SQLite restores into PostgreSQL, and the other way round. An older schema is migrated. Stop every process of this database first.
The master key must be the one of the backup: in CRM_SECRET_KEYS, as secret.key in the data folder, or in the backup itself (--with-keys). docs/operations.md has the details.`;
  static override jsonResult = "{database, taken_at, crm, rows, files, position, migrated}";

  static override examples = [
    "<%= config.bin %> restore crm-20260301T120000Z.tar.zst",
    "<%= config.bin %> restore FILE --dry-run",
    "<%= config.bin %> backup - | <%= config.bin %> restore - --to postgres://crm@localhost/crm",
  ];

  static override args = {
    file: Args.string({ description: "The file of the backup; - reads stdin.", required: true }),
  };

  static override flags = {
    to: Flags.string({
      description: "The URL of the database; by default CRM_DATABASE_URL. Put a password into ~/.pgpass, not here.",
      helpValue: "URL",
    }),
    "dry-run": Flags.boolean({ description: "Read and check the backup, and undo the restore." }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Restore);
    const [
      { auditBackup },
      files,
      { restoreBackup },
      { acceptMasterKeys },
      { openBlobs },
      { startProgress },
      { openBareDatabase },
      values,
      { systemClock },
    ] = await Promise.all([
      import("../src/backup/backup-audit.ts"),
      import("../src/backup/backup-files.ts"),
      import("../src/backup/restore-backup.ts"),
      import("../src/backup/backup-keys.ts"),
      import("../src/blobs/open-blobs.ts"),
      import("../terminal/output/progress.ts"),
      import("../src/service.ts"),
      import("../config/settings.values.ts"),
      import("../src/kit/time/clock.ts"),
    ]);
    const settings = this.settings({ databaseUrl: flags.to });
    const source = args.file === "-" ? process.stdin : await files.readBackupFile(args.file);
    const signal = stopSignal();
    const database = await openBareDatabase(settings, { create: true });
    const progress = startProgress({ total: null });
    let takeBack = async () => {};
    try {
      const restored = await restoreBackup(database, interruptible(source, signal), {
        dryRun: flags["dry-run"],
        blobs: openBlobs(settings),
        async accept(header, masterKeys) {
          takeBack = await acceptMasterKeys(settings, header, masterKeys);
        },
        progress: (rows) => progress.update(rows, rows),
      });
      progress.finish();
      if (flags["dry-run"]) await takeBack();
      else {
        const details = { taken_at: restored.taken_at, rows: restored.rows };
        await auditBackup(database, systemClock.now(), { operation: "restoreBackup", details });
      }
      const target = values.redactPassword(settings.databaseUrl);
      const verb = flags["dry-run"] ? "Would restore" : "Restored";
      const what = `${restored.rows} rows and ${restored.files} attachments`;
      this.log(`${verb} ${what} of ${restored.taken_at} into ${target}.`);
      for (const name of restored.migrated) this.log(`${flags["dry-run"] ? "would migrate" : "migrated"}  ${name}`);
      if (!flags["dry-run"]) this.log('Start the service with "crm serve", on this database.');
      return { database: target, ...restored };
    } catch (error) {
      await takeBack();
      if (!signal.aborted) throw error;
      throw new Stopped(signal.reason as StopSignal, "Nothing was restored.");
    } finally {
      progress.clear();
      await database.close();
    }
  }
}

async function* interruptible(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    signal.throwIfAborted();
    yield piece;
  }
}
