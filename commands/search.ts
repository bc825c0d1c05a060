/** `crm search` */
import { Args } from "@oclif/core";
import type { SearchView } from "../src/crm/search/search.view.ts";
import { CrmCommand } from "../terminal/command.ts";
import { locationFlags } from "../terminal/input/flags.ts";
import { table } from "../terminal/output/table.ts";

export default class Search extends CrmCommand {
  static override description =
    "Finds contacts, conversations, opportunities and tasks by text, best first: at most 20 of each.";
  static override jsonResult = "{contacts, conversations, opportunities, tasks} as the API shows them";
  static override examples = [
    "<%= config.bin %> search lovelace",
    '<%= config.bin %> search "ada price list" --location 2',
    "<%= config.bin %> search +14155552671 --json",
  ];
  static override args = { text: Args.string({ description: "What to find.", required: true }) };
  static override flags = locationFlags;
  static override fields = { q: "text" };

  async run(): Promise<SearchView> {
    const { args, flags } = await this.parse(Search);
    const { search } = await import("../src/crm/search/search.operations.ts");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const found = await carryOut(search, caller, { query: { q: args.text } });
      this.log(table(toRows(found), ["kind", "id", "record", "matched"], { cuts: ["record", "matched"] }));
      return found;
    });
  }
}

function toRows({ contacts, conversations, opportunities, tasks }: SearchView) {
  const named = (name: string | null, contact: { readonly name: string } | null) =>
    [name, contact?.name].filter((part) => part !== null && part !== undefined).join(", ");
  return [
    ...contacts.map((one) => ({ kind: "contact", id: one.id, record: one.name, matched: one.matched })),
    ...conversations.map((one) => ({ ...one, kind: "conversation", record: named(one.preview, one.contact) })),
    ...opportunities.map((one) => ({ ...one, kind: "opportunity", record: named(one.name, one.contact) })),
    ...tasks.map((one) => ({ ...one, kind: "task", record: named(one.title, one.contact) })),
  ].map(({ kind, id, record, matched: { field, text } }) => ({ kind, id, record, matched: `${field}: ${text}` }));
}
