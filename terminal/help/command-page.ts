/** `--help` of one command: usage, arguments, flags, description and examples, each readable at any width. */
import { CommandHelp } from "@oclif/core";
import type { Command } from "@oclif/core";
import { columnsOf, fill, wrap } from "../output/columns.ts";
import { listing } from "./listing.ts";

export class CommandPage extends CommandHelp {
  override wrap(body: string, spacing: number = this.indentSpacing): string {
    return wrap(this.render(body), this.opts.maxWidth - spacing);
  }

  override renderList(rows: Array<Array<string | undefined>>): string {
    return listing(rows, this.opts.maxWidth - this.indentSpacing);
  }

  /** `$ crm users invite EMAIL --role ROLE [--location ID]… [--json]`: an argument or flag is never parted from its value. */
  protected override usage(): string {
    const { id, args, flags } = this.command;
    const shown = Object.values(flags).filter(({ hidden }) => hidden !== true);
    const parts = [
      `$ ${this.config.bin} ${id}`,
      ...Object.values(args).map(({ name, required, multiple }) =>
        optional(name.toUpperCase(), { required, multiple }),
      ),
      ...shown.filter(({ required }) => required).map(usageOf),
      ...shown.filter(({ required, name }) => !required && name !== "json").map(usageOf),
      ...shown.filter(({ name }) => name === "json").map(usageOf),
    ];
    const [first = "", ...others] = fill(parts, this.opts.maxWidth - 2 * this.indentSpacing);
    return [first, ...others.map((line) => this.indent(line))].join("\n");
  }

  /** Each flag with the kind of value that it takes; the values to choose from are words, which a line can end between. */
  protected override flags(flags: Command.Flag.Any[]): Array<[string, string | undefined]> | undefined {
    const rows = super.flags(
      flags.map((flag) => {
        if (flag.type !== "option") return flag;
        const { options, ...others } = flag;
        const choices = options === undefined ? "" : ` One of ${options.join(", ")}.`;
        return { ...others, helpValue: valueOf(flag), description: `${flag.description ?? ""}${choices}` };
      }),
    );
    return rows?.map(([left, right]) => [left.replace("...", "…"), right]);
  }

  protected override args(args: Command.Arg.Any[]): Array<[string, string | undefined]> | undefined {
    return super.args(args)?.map(([name, right]) => [(name ?? "").replace("...", "…"), right]);
  }

  /** Everything but the first paragraph, which stands at the top already. A line break in the source is none here. */
  protected override description(): string | undefined {
    const [, ...paragraphs] = paragraphsOf(this.render(this.command.description ?? ""));
    return paragraphs.length === 0 ? undefined : this.wrap(paragraphs.join("\n\n"));
  }

  /** Each as it can be pasted: a longer one goes on after a backslash, and nothing in quotes is broken. */
  protected override examples(examples: Command.Example[] | string | undefined): string | undefined {
    if (examples === undefined || examples.length === 0) return undefined;
    const indent = 2 * this.indentSpacing;
    return [examples]
      .flat()
      .map((example) => {
        const line = `$ ${this.render(typeof example === "string" ? example : example.command)}`;
        if (columnsOf(line) <= this.opts.maxWidth - this.indentSpacing) return line;
        const words = line.match(/(?:--\S+ (?!-))?(?:[^\s'"]|'[^']*'|"(?:[^"\\]|\\.)*")+/g) ?? [line];
        const room = this.opts.maxWidth - this.indentSpacing - indent - " \\".length;
        return fill(words, room).join(` \\\n${" ".repeat(indent)}`);
      })
      .join("\n");
  }
}

/** What stands between empty lines, each in one line. */
export function paragraphsOf(text: string): string[] {
  return text.split(/\n\s*\n/).map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, " ").trim());
}

function usageOf(flag: Command.Flag.Any): string {
  const { name, required } = flag;
  if (flag.type === "option") return optional(`--${name} ${valueOf(flag)}`, { required, multiple: flag.multiple });
  return optional(`--${flag.allowNo ? "[no-]" : ""}${name}`, { required });
}

function valueOf({ helpValue, name }: Command.Flag.Any & { helpValue?: string | string[] }): string {
  return [helpValue ?? name.toUpperCase()].flat().join(" ");
}

function optional(
  text: string,
  { required = false, multiple = false }: { required?: boolean | undefined; multiple?: boolean | undefined },
): string {
  return `${required ? text : `[${text}]`}${multiple ? "…" : ""}`;
}
