/** `crm backup`: one file that holds the whole installation, taken while it runs. */
import { Args, Flags } from "@oclif/core";
import type { KeepRule } from "../src/kit/input/keep-rule.ts";
import { lowerProcess } from "../src/backup/scheduled/background-priority.ts";
import type { WrittenBackup } from "../src/backup/take-backup.ts";
import type { BackupSummary } from "../src/backup/write-backup.ts";
import { CrmCommand } from "../terminal/command.ts";
import { Stopped, WrongUsage } from "../terminal/failures.ts";
import type { Progress } from "../terminal/output/progress.ts";
import { stopSignal } from "../terminal/signals.ts";
import type { StopSignal } from "../terminal/signals.ts";

/** In bytes. Batches of rows die young: a larger one would hold more of them, for nothing. */
const youngGeneration = 8 * 2 ** 20;

export default class Backup extends CrmCommand {
  static override description = `Writes a backup of the whole database and its attachments into one file, while the service runs and writes.

The file shows one moment, is readable by its owner only, and restores into SQLite and PostgreSQL alike (crm restore). crm backup verify proves that it can be restored. It is a compressed tar: tar --zstd -tf FILE lists it. Without --with-keys it does not hold the master key: keep secret.key, without which the backup is of no use, in another place. docs/operations.md has the details.`;
  static override jsonResult = "{file, bytes, rows, position, files, missing_files, taken_at, master_keys, removed}";

  static override examples = [
    "<%= config.bin %> backup",
    "<%= config.bin %> backup /mnt/backups/crm.tar.zst",
    "<%= config.bin %> backup --keep 7d,4w,6m /mnt/backups",
    "<%= config.bin %> backup - | ssh other crm restore -",
  ];

  static override args = {
    file: Args.string({
      description: "The file to create; - writes to stdout. Without it, crm-<time>.tar.zst in this folder.",
    }),
  };

  static override flags = {
    "with-keys": Flags.boolean({
      description: "Include the master keys. With this file alone, all secrets in it can be read.",
    }),
    keep: Flags.string({
      description:
        "FILE is a folder: name the file by time, and remove older backups except the newest of each of the last days, weeks and months.",
      helpValue: "7d,4w,6m",
    }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Backup);
    // Before the program is loaded, which takes as long as a small backup.
    lowerProcess();
    const rule = await this.ruleOf(args.file, flags.keep);
    const [
      { auditBackup },
      { fileBackup, streamBackup },
      { ownMasterKeys },
      { openBlobs },
      { openBareDatabase },
      { systemClock },
      { startProgress },
      { boundMemory },
    ] = await Promise.all([
      import("../src/backup/backup-audit.ts"),
      import("../src/backup/take-backup.ts"),
      import("../src/backup/backup-keys.ts"),
      import("../src/blobs/open-blobs.ts"),
      import("../src/service.ts"),
      import("../src/kit/time/clock.ts"),
      import("../terminal/output/progress.ts"),
      import("../terminal/memory.ts"),
    ]);
    boundMemory(youngGeneration);
    const settings = this.settings();
    const database = await openBareDatabase(settings, { create: false });
    const signal = stopSignal();
    const at = systemClock.now();
    let progress: Progress | undefined;
    try {
      const options = {
        version: this.config.version,
        at,
        signal,
        blobs: openBlobs(settings),
        masterKeys: flags["with-keys"] ? await ownMasterKeys(settings) : null,
        progress(done: number, total: number) {
          progress ??= startProgress({ total });
          progress.update(done, done);
        },
      };
      const entry = { operation: "takeBackup", details: { with_keys: flags["with-keys"] } } as const;
      if (!(await auditBackup(database, at, entry)))
        process.stderr.write("The audit log takes no entry: this backup will be missing in it.\n");
      const written =
        args.file === "-"
          ? await streamBackup(database, options, process.stdout)
          : await fileBackup(database, options, { file: args.file, rule });
      progress?.finish();
      if (flags["with-keys"])
        process.stderr.write(
          "The backup holds the master keys: with this file alone, every secret in it can be read.\n",
        );
      if (written.missing_files > 0)
        process.stderr.write(
          `The backup lacks ${written.missing_files} attachments, whose files are missing in ${settings.blobUrl}.\n`,
        );
      if (!isFile(written)) return undefined;
      this.log(`Wrote ${written.file}: ${written.rows} rows, ${written.files} attachments, ${written.bytes} bytes.`);
      for (const name of written.removed) this.log(`Removed ${name}.`);
      return { ...written, taken_at: at.toISOString(), master_keys: flags["with-keys"] };
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new Stopped(signal.reason as StopSignal, "There is no backup.");
    } finally {
      progress?.clear();
      await database.close();
    }
  }

  /** The rule of --keep. Refuses combinations that make no sense. */
  private async ruleOf(file: string | undefined, keep: string | undefined): Promise<KeepRule | undefined> {
    if (file === "-" && (keep !== undefined || this.jsonEnabled()))
      throw new WrongUsage("- writes the backup to stdout: leave out --keep and --json.");
    if (file === "-" && process.stdout.isTTY) throw new WrongUsage("A backup is not for a terminal: redirect stdout.");
    if (keep === undefined) return undefined;
    const { readKeepRule } = await import("../src/kit/input/keep-rule.ts");
    const rule = readKeepRule(keep);
    if (rule === undefined) throw new WrongUsage("--keep takes a number of days, weeks and months, such as 7d,4w,6m.");
    if (file === undefined) throw new WrongUsage("--keep needs the folder of the backups.");
    return rule;
  }
}

/** Whether the backup was written to a file, and not to stdout. */
function isFile(written: BackupSummary | WrittenBackup): written is WrittenBackup {
  return "file" in written;
}
