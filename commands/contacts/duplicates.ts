/** `crm contacts duplicates` */
import { CrmCommand } from "../../terminal/command.ts";
import { countFlag, locationFlags } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class ContactsDuplicates extends CrmCommand {
  static override description = `Lists contacts that may be one person, in groups, newest first.

They share an email, a phone number, or a name and one of company, zip and last four digits.`;
  static override jsonResult = "a list of {reason, contacts}";
  static override examples = [
    "<%= config.bin %> contacts duplicates",
    "<%= config.bin %> contacts duplicates --limit 1000 --json",
  ];
  static override flags = {
    ...locationFlags,
    limit: countFlag(10_000, { description: "How many groups to show at most.", default: 50 }),
  };

  async run(): Promise<unknown> {
    const { flags } = await this.parse(ContactsDuplicates);
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const [{ listDuplicates }, { allPages }] = await Promise.all([
        import("../../src/crm/contacts/duplicates/duplicate.operations.ts"),
        import("../../src/kit/page.ts"),
      ]);
      const groups = await allPages(
        ({ cursor }) => carryOut(listDuplicates, caller, { query: { cursor } }),
        flags.limit,
      );
      const rows = groups.flatMap(({ reason, contacts }) =>
        contacts.map(({ id, name, email, phone_display: phone }, place) => ({
          reason: place === 0 ? reason : null,
          id,
          name,
          email,
          phone,
        })),
      );
      this.log(
        table(rows, ["reason", "id", "name", "email", "phone"], { cuts: ["name", "email"], none: "No duplicates." }),
      );
      if (groups.length > 0) this.log("Merge two of them: crm contacts merge ID OTHER");
      return groups;
    });
  }
}
