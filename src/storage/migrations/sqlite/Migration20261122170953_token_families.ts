/** Groups the refresh tokens of a consent into a family that the current token names, so that used ones are deleted with their access tokens; older ones are unchanged. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122170953_token_families extends Migration {
  override readonly name = "Migration20261122170953_token_families";

  override up(): void {
    this.addSql(`alter table \`oauth_tokens\` add column \`family_hash\` text null;`);
    this.addSql(`create index "oauth_tokens_living" on "oauth_tokens" ("family_hash") where "spent_at" is null;`);
    this.addSql(`create index "oauth_tokens_spent" on "oauth_tokens" ("spent_at") where "spent_at" is not null and "family_hash" is not null;`);
  }

  override down(): void {
    this.addSql(`drop index \`oauth_tokens_living\`;`);
    this.addSql(`drop index \`oauth_tokens_spent\`;`);
    this.addSql(`alter table \`oauth_tokens\` drop column \`family_hash\`;`);
  }
}
