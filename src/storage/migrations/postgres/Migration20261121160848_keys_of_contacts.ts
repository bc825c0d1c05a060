/** Recomputes the keys of phones (with the extension) and of e-mail addresses (ß and ς stay). */
// An extension is read from where it is shown, at the end and behind one of the words that a country has for it. An address is
// rewritten where nothing but these letters made its key another than its spelling in lower case.
import { Migration } from "@mikro-orm/migrations";

const beforeExtension = `rtrim("phone_display", '0123456789')`;
const words = [" ext. ", " x", " Anexo ", " int ", " int. ", "#"];
const ofEmail = `replace(replace(lower("email"), 'ß', 'ss'), 'ς', 'σ')`;

export class Migration20261121160848_keys_of_contacts extends Migration {
  override readonly name = "Migration20261121160848_keys_of_contacts";

  override up(): void {
    this.addSql(
      `update "contacts" set "phone_key" = "phone_key" || ';ext=' || substr("phone_display", length(${beforeExtension}) + 1)
       where "phone_key" like '+%' and "phone_display" <> ${beforeExtension}
         and (${words.map((word) => `${beforeExtension} like '%${word}'`).join(" or ")});`,
    );
    for (const table of ["contacts", "users"]) {
      this.addSql(
        `update "${table}" set "email_key" = lower("email")
         where "email_key" <> lower("email") and "email_key" = ${ofEmail};`,
      );
    }
  }

  override down(): void {
    this.addSql(
      `update "contacts" set "phone_key" = replace("phone_key", substr("phone_key", strpos("phone_key", ';ext=')), '')
       where "phone_key" like '+%;ext=%';`,
    );
    for (const table of ["contacts", "users"]) {
      this.addSql(
        `update "${table}" set "email_key" = replace(replace("email_key", 'ß', 'ss'), 'ς', 'σ')
         where "email_key" like '%ß%' or "email_key" like '%ς%';`,
      );
    }
  }
}
