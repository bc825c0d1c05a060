/** `crm search rebuild`: builds the text index of contacts anew. */
import { CrmCommand } from "../../terminal/command.ts";
import { Stopped } from "../../terminal/failures.ts";
import { stopSignal } from "../../terminal/signals.ts";
import type { StopSignal } from "../../terminal/signals.ts";

export default class SearchRebuild extends CrmCommand {
  static override description = `Rebuilds the text index that speeds up searches of contacts and conversations, while the service runs.

Results stay complete meanwhile, but slower. If it is interrupted, run it again to resume; a worker finishes it as well. PostgreSQL needs the extension pg_trgm.`;
  static override jsonResult = "{contacts}: how many are indexed, or null without a text index";
  static override examples = ["<%= config.bin %> search rebuild", "<%= config.bin %> search rebuild --json"];

  async run(): Promise<unknown> {
    await this.parse(SearchRebuild);
    const [{ rebuildContactTexts }, { startProgress }] = await Promise.all([
      import("../../src/crm/contact-texts.follower.ts"),
      import("../../terminal/output/progress.ts"),
    ]);
    const signal = stopSignal();
    return this.withService(async ({ database }) => {
      let shown: ReturnType<typeof startProgress> | undefined;
      try {
        const contacts = await rebuildContactTexts(database, {
          signal,
          progress(reached, last) {
            shown ??= startProgress({ total: last });
            shown.update(reached, reached);
          },
        });
        shown?.finish();
        this.log(
          contacts === null
            ? "This database has no text index, and searches scan the contacts. Install the PostgreSQL extension pg_trgm, then run this again."
            : `Indexed contacts: ${contacts}.`,
        );
        return { contacts };
      } catch (error) {
        if (!signal.aborted) throw error;
        throw new Stopped(signal.reason as StopSignal, "Run it again to finish.");
      } finally {
        shown?.clear();
      }
    });
  }
}
