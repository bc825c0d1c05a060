/** `crm version`: the same as --version, for whoever asks in words or from a program. */
import { CrmCommand } from "../terminal/command.ts";

export default class Version extends CrmCommand {
  static override description = "Shows the version of crm, and of the Node that it runs on.";
  static override examples = ["<%= config.bin %> version", "<%= config.bin %> version --json"];

  async run(): Promise<{ version: string; node: string; platform: string }> {
    await this.parse(Version);
    this.log(this.config.userAgent);
    return {
      version: this.config.version,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    };
  }
}
