/** `crm upgrade-check`: what the next start of this version would migrate. */
import { CrmCommand } from "../terminal/command.ts";

export default class UpgradeCheck extends CrmCommand {
  static override description = `Shows what the next start of this version would migrate: which tables, for how long, and what waits meanwhile.

Run it with the new version, before you stop the old one. Changes nothing. The times are estimates from the numbers of rows, on one idle core.`;
  static override jsonResult =
    "{migrations: [{name, steps: [{what, table, rows, seconds}], seconds}], seconds, blocks, newest_backup_at}";
  static override examples = ["<%= config.bin %> upgrade-check", "<%= config.bin %> upgrade-check --json"];

  async run(): Promise<unknown> {
    await this.parse(UpgradeCheck);
    const { openSchema } = await import("../src/service.ts");
    const schema = await openSchema(this.settings(), { create: false });
    try {
      const [{ migrations, seconds, blocks }, newest] = [await schema.estimate(), await schema.newestBackupAt()];
      for (const { name, steps } of migrations) {
        this.log(name);
        for (const { what, table, rows, seconds: own } of steps)
          this.log(`  ${what} ${table}: ${rows} rows, ${spoken(own)}`);
      }
      const count = `${migrations.length} migration${migrations.length === 1 ? "" : "s"}`;
      const waiting = blocks === "everything" ? "all writes wait" : `writes wait to ${blocks.join(", ") || "no table"}`;
      this.log(
        migrations.length === 0
          ? "Nothing to migrate: the schema is that of this version."
          : `The next start applies ${count}, in ${spoken(seconds)}. Meanwhile ${waiting}.`,
      );
      if (migrations.length > 0)
        this.log(
          newest === null
            ? "No backup is known: run crm backup first."
            : `The newest backup is of ${newest.toISOString()}: run crm backup first.`,
        );
      return { migrations, seconds, blocks, newest_backup_at: newest?.toISOString() ?? null };
    } finally {
      await schema.close();
    }
  }
}

function spoken(seconds: number): string {
  if (seconds < 1) return "less than a second";
  return seconds < 120 ? `about ${Math.ceil(seconds)} seconds` : `about ${Math.ceil(seconds / 60)} minutes`;
}
