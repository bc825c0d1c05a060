/** Remembers the scopes of a refresh token whose access token was asked for with fewer; older pairs are unchanged. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261127023155_narrowed_tokens extends Migration {
  override readonly name = "Migration20261127023155_narrowed_tokens";

  override up(): void {
    this.addSql(`alter table \`oauth_tokens\` add column \`refresh_scopes\` text null;`);
  }

  override down(): void {
    this.addSql(`alter table \`oauth_tokens\` drop column \`refresh_scopes\`;`);
  }
}
