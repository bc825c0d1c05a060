/** A delivery has the beginning of its open attempt, whose row is written when it has ended. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261129150541_open_attempts extends Migration {
  override readonly name = "Migration20261129150541_open_attempts";

  override up(): void {
    this.addSql(`alter table "deliveries" add "attempt_at" timestamptz(3) null;`);
  }

  override down(): void {
    // The version before expects a row of each open attempt.
    this.addSql(`insert into delivery_attempts (delivery_id, number, at) select id, attempt, attempt_at from deliveries
      where attempt_open and attempt_at is not null on conflict do nothing;`);
    this.addSql(`alter table "deliveries" drop column "attempt_at";`);
  }
}
