/** Moves the positions of events into a narrow table, so that assigning one writes no row of events. */
import { Migration } from "@mikro-orm/migrations";
import { movePositions, movePositionsBack, preparePositions } from "../positions-moved.ts";

export class Migration20261125152957_position_table extends Migration {
  override readonly name = "Migration20261125152957_position_table";

  /** Before the statements, while changes go on. */
  readonly prepare = preparePositions;

  override up(): void {
    for (const statement of movePositions) this.addSql(`${statement};`);
    this.addSql(`alter table "events" drop constraint "events_position";`);
  }

  override down(): void {
    for (const statement of movePositionsBack) this.addSql(`${statement};`);
    this.addSql(`alter table "events" add constraint "events_position" unique ("position");`);
  }
}
