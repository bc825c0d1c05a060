/** `crm search rebuild`: builds the text indexes anew. */
import { CrmCommand } from "../../terminal/command.ts";
import { Stopped } from "../../terminal/failures.ts";
import { stopSignal } from "../../terminal/signals.ts";
import type { StopSignal } from "../../terminal/signals.ts";

export default class SearchRebuild extends CrmCommand {
  static override description = `Rebuilds the text indexes that speed up searches of contacts, conversations, opportunities and tasks, while the service runs.

Results stay complete meanwhile, but slower. If it is interrupted, run it again to resume; a worker finishes it as well. PostgreSQL needs the extension pg_trgm.`;
  static override jsonResult =
    "{contacts, opportunities, tasks}: how many of each are indexed, or null without a text index";
  static override examples = ["<%= config.bin %> search rebuild", "<%= config.bin %> search rebuild --json"];

  async run(): Promise<unknown> {
    await this.parse(SearchRebuild);
    const [{ textIndexes }, { rebuildTexts }, { startProgress }] = await Promise.all([
      import("../../src/crm/search/text-indexes.ts"),
      import("../../src/crm/text-index/text-index.follower.ts"),
      import("../../terminal/output/progress.ts"),
    ]);
    const signal = stopSignal();
    return this.withService(async ({ database }) => {
      let shown: ReturnType<typeof startProgress> | undefined;
      const counts: Record<string, number | null> = {};
      try {
        for (const texts of textIndexes) {
          const count = await rebuildTexts(database, texts, {
            signal,
            progress(reached, last) {
              shown ??= startProgress({ total: last });
              shown.update(reached, reached);
            },
          });
          // Contacts have two.
          counts[texts.table] = counts[texts.table] === null ? null : count;
          shown?.finish();
          shown = undefined;
        }
        this.log(
          Object.values(counts).includes(null)
            ? "This database has no text index, and searches scan the records. Install the PostgreSQL extension pg_trgm, then run this again."
            : Object.entries(counts)
                .map(([noun, count]) => `Indexed ${noun}: ${count}.`)
                .join("\n"),
        );
        return counts;
      } catch (error) {
        if (!signal.aborted) throw error;
        throw new Stopped(signal.reason as StopSignal, "Run it again to finish.");
      } finally {
        shown?.clear();
      }
    });
  }
}
