/** Moves the positions of events into a narrow table, so that assigning one writes no row of events. */
import { Migration } from "@mikro-orm/migrations";
import { movePositionsBack, movePositionsEmbedded, preparePositions } from "../positions-moved.ts";

export class Migration20261125152955_position_table extends Migration {
  override readonly name = "Migration20261125152955_position_table";

  /** Before the statements, while changes go on. */
  readonly prepare = preparePositions;

  override up(): void {
    for (const statement of movePositionsEmbedded) this.addSql(`${statement};`);
    this.addSql(`drop index "events_position";`);
  }

  override down(): void {
    for (const statement of movePositionsBack) this.addSql(`${statement};`);
    this.addSql(`create unique index "events_position" on "events" ("position");`);
  }
}
