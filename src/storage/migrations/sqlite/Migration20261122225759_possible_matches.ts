/** An index of the conversations that a contact may match, which a merge moves. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122225759_possible_matches extends Migration {
  override readonly name = "Migration20261122225759_possible_matches";

  override up(): void {
    this.addSql(`create index "conversations_of_possible_match" on "conversations" ("possible_match_id") where "possible_match_id" is not null;`);
  }

  override down(): void {
    this.addSql(`drop index \`conversations_of_possible_match\`;`);
  }
}
