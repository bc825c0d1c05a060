/** `crm help`: the same as --help. */
import { Args } from "@oclif/core";
import { CrmCommand } from "../terminal/command.ts";

export default class HelpCommand extends CrmCommand {
  static override description = "Shows the commands, or how to use one.";
  static override jsonResult = "[{command, summary}]";
  static override examples = [
    "<%= config.bin %> help",
    "<%= config.bin %> help contacts",
    "<%= config.bin %> help contacts import",
  ];
  static override args = { command: Args.string({ description: "The command.", multiple: true }) };

  async run(): Promise<{ command: string; summary: string }[]> {
    const { args } = await this.parse(HelpCommand);
    const words = args.command ?? [];
    if (!this.jsonEnabled()) {
      const { CrmHelp } = await import("../terminal/help/crm-help.ts");
      await new CrmHelp(this.config).showHelp(words);
    }
    const topic = words.join(" ");
    const commands = this.config.commands
      .map(({ id, description = "" }) => ({
        command: id.replaceAll(":", " "),
        summary: description.split("\n")[0] ?? "",
      }))
      .filter(({ command }) => topic === "" || command === topic || command.startsWith(`${topic} `))
      .toSorted((one, other) => (one.command < other.command ? -1 : 1));
    if (commands.length > 0) return commands;
    const { refuseUnknown } = await import("../terminal/help/unknown-command.ts");
    return refuseUnknown(words, this.config, { json: true });
  }
}
