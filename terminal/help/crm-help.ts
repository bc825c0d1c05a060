/** `crm --help`, `crm help …` and `crm TOPIC`: commands and topics, wrapped to the terminal between words. */
import { Help } from "@oclif/core";
import type { Command, Interfaces } from "@oclif/core";
import { columnsOfStream, wrap } from "../output/columns.ts";
import { CommandPage, paragraphsOf } from "./command-page.ts";
import { listing } from "./listing.ts";
import { refuseUnknown } from "./unknown-command.ts";

export class CrmHelp extends Help {
  override CommandHelpClass = CommandPage;

  constructor(config: Interfaces.Config, options: Partial<Interfaces.HelpOptions> = {}) {
    super(config, { maxWidth: columnsOfStream(process.stdout), ...options });
  }

  override wrap(body: string, spacing: number = this.indentSpacing): string {
    return wrap(this.render(body), this.opts.maxWidth - spacing);
  }

  override renderList(rows: Array<Array<string | undefined>>): string {
    return listing(rows, this.opts.maxWidth - this.indentSpacing);
  }

  override formatRoot(): string {
    const [summary = "", ...others] = paragraphsOf(this.render(this.config.pjson.oclif.description ?? ""));
    return [
      this.wrap(summary, 0),
      this.section("VERSION", this.wrap(this.config.userAgent)),
      this.section("USAGE", `$ ${this.config.bin} COMMAND`),
      this.section("DESCRIPTION", this.wrap(others.join("\n\n"))),
    ].join("\n\n");
  }

  protected override formatTopic({ name, description = "" }: Interfaces.Topic): string {
    const usage = this.section("USAGE", `$ ${this.config.bin} ${name.replaceAll(":", " ")} COMMAND`);
    return `${this.wrap(description, 0)}\n\n${usage}\n`;
  }

  override async showCommandHelp(command: Command.Loadable): Promise<void> {
    const [summary = ""] = paragraphsOf(this.render(command.description ?? ""));
    this.log(`${this.wrap(summary, 0)}\n\n${this.formatCommand(command)}\n`);
  }

  override async showHelp(argv: string[]): Promise<void> {
    const words = argv.filter((word) => word !== "help" && !word.startsWith("-"));
    if (words.length === 0 && argv.includes("help") && argv.length > 1) {
      await this.showCommandHelp(this.config.findCommand("help", { must: true }));
      return;
    }
    try {
      await super.showHelp(argv);
    } catch (error) {
      if (!(error instanceof Error) || !/^Command \S+ not found\.$/.test(error.message)) throw error;
      refuseUnknown(words, this.config, { json: argv.includes("--json") });
    }
  }
}
