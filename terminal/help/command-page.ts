/** `--help` of one command: usage, arguments, flags, description and examples, wrapped to the terminal. */
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

  /** `$ crm users invite EMAIL --role ROLE [--location ID]… [--json]`: a flag and its value stay on one line. */
  protected override usage(): string {
    const { id, args, flags } = this.command;
    const shown = Object.values(flags).filter(({ hidden }) => hidden !== true);
    const parts = [
      `$ ${this.config.bin} ${id}`,
      ...Object.values(args).map(spellArgument),
      ...shown.filter(({ required }) => required).map(usageOf),
      ...shown.filter(({ required, name }) => !required && name !== "json").map(usageOf),
      ...shown.filter(({ name }) => name === "json").map(usageOf),
    ];
    const [first = "", ...others] = fill(parts, this.opts.maxWidth - 2 * this.indentSpacing);
    return [first, ...others.map((line) => this.indent(line))].join("\n");
  }

  /** Flags with their value names; choices are separate words, so that a line can break between them. */
  protected override flags(flags: Command.Flag.Any[]): Array<[string, string | undefined]> | undefined {
    const rows = super.flags(
      flags.map((flag) => {
        if (flag.name === "json") return { ...flag, description: `Print JSON: ${jsonResultOf(this.command)}.` };
        if (flag.type !== "option") return flag;
        const { options: _, ...others } = flag;
        return { ...others, helpValue: valueOf(flag), description: describeFlag(flag) };
      }),
    );
    return rows?.map(([left, right]) => [left.replace("...", "…"), right]);
  }

  protected override args(args: Command.Arg.Any[]): Array<[string, string | undefined]> | undefined {
    return super.args(args)?.map(([name, right]) => [(name ?? "").replace("...", "…"), right]);
  }

  /** The description without its first paragraph, which is the heading. Line breaks of the source are ignored. */
  protected override description(): string | undefined {
    const [, ...paragraphs] = paragraphsOf(this.render(this.command.description ?? ""));
    return paragraphs.length === 0 ? undefined : this.wrap(paragraphs.join("\n\n"));
  }

  /** Examples that can be pasted: a long one continues after a backslash; quoted text is not broken. */
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

/** Paragraphs, each joined into one line. */
export function paragraphsOf(text: string): string[] {
  return text.split(/\n\s*\n/).map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, " ").trim());
}

/** What --json prints; oclif keeps what a command class says of itself. */
export function jsonResultOf(command: Command.Loadable): string {
  return (command as { readonly jsonResult?: string }).jsonResult ?? "";
}

/** The description of a flag, with the values to choose from. */
function describeFlag(flag: Command.Flag.Any): string {
  const choices = flag.type === "option" && flag.options !== undefined ? ` One of ${flag.options.join(", ")}.` : "";
  return `${flag.description ?? ""}${choices}`;
}

/** `--role ROLE`, or `--[no-]dnd`. */
export function spellFlag(flag: Command.Flag.Any): string {
  return flag.type === "option" ? `--${flag.name} ${valueOf(flag)}` : `--${flag.allowNo ? "[no-]" : ""}${flag.name}`;
}

function usageOf(flag: Command.Flag.Any): string {
  const multiple = flag.type === "option" && flag.multiple;
  return optional(spellFlag(flag), { required: flag.required, multiple });
}

function valueOf({ helpValue, name }: Command.Flag.Any & { helpValue?: string | string[] }): string {
  return [helpValue ?? name.toUpperCase()].flat().join(" ");
}

/** `CONTACT`, `[BODY]` or `[EVENT]…`. */
export function spellArgument({ name, required, multiple }: Command.Arg.Any): string {
  return optional(name.toUpperCase(), { required, multiple });
}

function optional(
  text: string,
  { required = false, multiple = false }: { required?: boolean | undefined; multiple?: boolean | undefined },
): string {
  return `${required ? text : `[${text}]`}${multiple ? "…" : ""}`;
}
