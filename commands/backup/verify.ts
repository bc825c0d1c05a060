/** `crm backup verify`: proves that a backup can be restored. */
import { Args } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";

export default class BackupVerify extends CrmCommand {
  static override description = `Reads a whole backup, checks every hash, restores it into a temporary SQLite database, and examines the data there as crm doctor does.

Needs neither the master key nor the database of the installation, but free space in the temporary folder.`;
  static override jsonResult = "{file, taken_at, crm, rows, files, position, migrated, master_keys, checks}";
  static override examples = [
    "<%= config.bin %> backup verify crm-20260301T120000Z.tar.zst",
    "<%= config.bin %> backup verify FILE --json",
  ];
  static override args = {
    file: Args.string({ description: "The file of the backup; - reads stdin.", required: true }),
  };

  async run(): Promise<unknown> {
    const { args } = await this.parse(BackupVerify);
    const [
      { readBackupFile },
      { verifyBackup },
      { examineData },
      { worstOf },
      { openBareDatabase },
      { systemClock },
      { startProgress },
      { diagnosisLine },
    ] = await Promise.all([
      import("../../src/backup/backup-files.ts"),
      import("../../src/backup/verify-backup.ts"),
      import("../../src/doctor/examine.ts"),
      import("../../src/doctor/diagnose.ts"),
      import("../../src/service.ts"),
      import("../../src/kit/time/clock.ts"),
      import("../../terminal/output/progress.ts"),
      import("../../terminal/output/records/diagnosis-line.ts"),
    ]);
    const source = args.file === "-" ? process.stdin : await readBackupFile(args.file);
    const progress = startProgress({ total: null });
    try {
      const open = (databaseUrl: string) => openBareDatabase({ databaseUrl }, { create: true });
      const { inspection: checks, ...verified } = await verifyBackup(open, source, {
        progress: (rows) => progress.update(rows, rows),
        inspect: (database, masterKeys) => examineData(database, masterKeys, systemClock),
      });
      progress.finish();
      const keys = verified.master_keys ? "with" : "without";
      this.log(
        `The backup of ${verified.taken_at} is complete: ${verified.rows} rows, ${verified.files} attachments, ${keys} master keys.`,
      );
      for (const diagnosis of checks.filter(({ verdict }) => verdict !== "ok")) this.log(diagnosisLine(diagnosis));
      if (worstOf(checks) === "failure") process.exitCode = 1;
      return { file: args.file, ...verified, checks };
    } finally {
      progress.clear();
    }
  }
}
