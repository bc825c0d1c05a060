/** `crm contacts list`: lists and searches contacts. */
import { Args, Flags } from "@oclif/core";
import type { ContactSummaryView } from "../../src/crm/contacts/contact.view.ts";
import type { CustomFieldView } from "../../src/crm/custom-fields/custom-field.view.ts";
import { Invalid } from "../../src/vocabulary/errors.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { definedOn } from "../../terminal/input/given/custom-values.ts";
import { countFlag, locationFlags } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class ContactsList extends CrmCommand {
  static override description = `Lists or finds contacts, newest activity first.

--filter is FIELD=VALUE, or FIELD:OPERATOR=VALUE with the operators of the API: eq, neq, in and nin (values separated by commas), contains, starts_with, gt, gte, lt, lte and is_null. An empty value finds
contacts without one; tag= takes a name or an id; the JSON of the API works too. All filters must match. crm contacts export prints every contact.`;
  static override jsonResult = "a list of contacts as the API lists them";

  static override examples = [
    "<%= config.bin %> contacts list",
    "<%= config.bin %> contacts list ada",
    '<%= config.bin %> contacts list "(415) 555-2671" --json',
    "<%= config.bin %> contacts list --filter tag=VIP --filter company:contains=engines",
    "<%= config.bin %> contacts list --filter updated_at:gt=2026-03-01T00:00:00Z --limit 1000",
  ];

  static override args = {
    query: Args.string({
      description: "Part of a name, e-mail address or phone number, in any spelling; each of its words must match.",
    }),
  };

  static override flags = {
    ...locationFlags,
    filter: Flags.string({
      description: "A condition, repeatable.",
      helpValue: "FIELD=VALUE",
      multiple: true,
      multipleNonGreedy: true,
    }),
    limit: countFlag(10_000, { description: "Maximum number to show.", default: 200 }),
  };

  static override fields = { search: "query" };

  async run(): Promise<ContactSummaryView[]> {
    const { args, flags } = await this.parse(ContactsList);
    const { query: search } = args;
    if (search?.trim() === "") {
      throw new WrongUsage('QUERY is ""; expected a part of a name, an e-mail address or a phone number.');
    }
    const [{ listContacts }, { allPages }, { limits }] = await Promise.all([
      import("../../src/crm/contacts/contact.operations.ts"),
      import("../../src/kit/page.ts"),
      import("../../src/vocabulary/limits.ts"),
    ]);
    const given = flags.filter ?? [];
    const hasCustom = given.some((text) => text.includes("custom."));
    let total = 0;
    const contacts = await this.inLocation(flags, async (caller, { carryOut }) => {
      const filters = await readFilters(given, hasCustom ? await definedOn(caller, carryOut, "contact") : []);
      return allPages(async ({ cursor }) => {
        const query = { search, filters, cursor };
        const found = await carryOut(listContacts, caller, { query }).catch(toWrongUsage);
        ({ total } = found);
        return found;
      }, flags.limit);
    });
    const isNarrowed = search !== undefined || given.length > 0;
    const rows = contacts.map((contact) => ({
      ...contact,
      phone: contact.phone_display,
      tags: contact.tags.map(({ name }) => name),
    }));
    this.log(
      table(rows, ["id", "name", "email", "phone", "tags"], {
        cuts: ["name", "email", "tags"],
        none: isNarrowed
          ? "No contact matches."
          : "No contacts yet. Create one: crm contacts create --first-name NAME (or crm contacts import FILE)",
      }),
    );
    if (contacts.length < total) {
      const all = isNarrowed && total >= limits.filteredTotalCap ? `${total} or more` : total;
      this.logToStderr(`${contacts.length} of ${all}; --limit shows more.`);
    }
    return contacts;
  }
}

/** The filters as the API takes them; undefined for none. */
async function readFilters(texts: readonly string[], defined: readonly CustomFieldView[]): Promise<string | undefined> {
  if (texts.length === 0) return undefined;
  const { filterArgumentForms, parseFilterArgument } =
    await import("../../src/crm/contacts/list/contact.filter-arguments.ts");
  const conditions = texts.flatMap((text) => {
    const read = parseFilterArgument(text, defined);
    if (read === undefined)
      throw new WrongUsage(`--filter is ${JSON.stringify(text)}; expected ${filterArgumentForms}.`);
    return read;
  });
  return JSON.stringify(conditions);
}

/** An unknown filter is wrong usage. */
function toWrongUsage(error: unknown): never {
  const [sentence] = error instanceof Invalid ? (error.errors["filters"] ?? []) : [];
  if (sentence === undefined) throw error;
  throw new WrongUsage(sentence.replace(/^The filters field /, "--filter "));
}
