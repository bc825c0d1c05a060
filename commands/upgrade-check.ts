/** `crm upgrade-check`: what the next start of this version would migrate. */
import { CrmCommand } from "../terminal/command.ts";
import { counted } from "../src/kit/text.ts";

export default class UpgradeCheck extends CrmCommand {
  static override description = `Shows what the next start of this version would migrate: which tables, for how long, what waits meanwhile, and whether the older version may go on beside it.

Run it with the new version, before you stop the old one. Changes nothing. The times are estimates from the numbers of rows, on one idle core.`;
  static override jsonResult =
    "{migrations: [{name, steps: [{what, table, rows, seconds, ahead}], seconds, blocked_seconds, breaks}], seconds, blocked_seconds, blocks, stop_older, newest_backup_at}";
  static override examples = ["<%= config.bin %> upgrade-check", "<%= config.bin %> upgrade-check --json"];

  async run(): Promise<unknown> {
    await this.parse(UpgradeCheck);
    const { openSchema } = await import("../src/service.ts");
    const schema = await openSchema(this.settings(), { create: false });
    try {
      const [{ migrations, seconds, blockedSeconds, blocks }, newest] = [
        await schema.estimate(),
        await schema.newestBackupAt(),
      ];
      const waiting = blocks === "everything" ? "all writes wait" : `writes wait to ${blocks.join(", ") || "no table"}`;
      for (const { name, steps, blockedSeconds: own } of migrations) {
        this.log(own < 1 ? name : `${name}: ${waiting} for ${spoken(own)}`);
        for (const { what, table, rows, seconds: own, isAhead } of steps)
          this.log(`  ${what} ${table}: ${rows} rows, ${spoken(own)}${isAhead ? ", while writes go on" : ""}`);
      }
      const stops = migrations.flatMap(({ name, breaks }) => breaks.map((reason) => `${name} ${reason}`));
      if (migrations.length === 0) this.log("Nothing to migrate: the schema is that of this version.");
      else {
        const count = counted(migrations.length, "migration");
        this.log(
          `The next start applies ${count}, in ${spoken(seconds)}. For ${spoken(blockedSeconds)} of it ${waiting}.`,
        );
        this.log(
          stops.length === 0
            ? "Processes of the older version may go on: the migrations only add to the schema."
            : `Stop every process of the older version first:\n${stops.map((stop) => `  ${stop}`).join("\n")}`,
        );
        this.log(
          newest === null
            ? "No backup is known: run crm backup first."
            : `The newest backup is of ${newest.toISOString()}: run crm backup first.`,
        );
      }
      return {
        migrations: migrations.map(({ steps, blockedSeconds: blocked_seconds, ...migration }) => ({
          ...migration,
          blocked_seconds,
          steps: steps.map(({ isAhead, ...step }) => ({ ...step, ahead: isAhead })),
        })),
        seconds,
        blocked_seconds: blockedSeconds,
        blocks: migrations.length === 0 ? [] : blocks,
        stop_older: stops.length > 0,
        newest_backup_at: newest?.toISOString() ?? null,
      };
    } finally {
      await schema.close();
    }
  }
}

function spoken(seconds: number): string {
  if (seconds < 1) return "less than a second";
  return seconds < 120 ? `about ${Math.ceil(seconds)} seconds` : `about ${Math.ceil(seconds / 60)} minutes`;
}
