/** Events carry the trace of the request that caused them. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261125151229_event_traces extends Migration {
  override readonly name = "Migration20261125151229_event_traces";

  override up(): void {
    this.addSql(`alter table "events" add "trace" text null;`);
  }

  override down(): void {
    this.addSql(`alter table "events" drop column "trace";`);
  }
}
