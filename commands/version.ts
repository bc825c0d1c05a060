/** `crm version`: the same as --version, with --json. */
import { CrmCommand } from "../terminal/command.ts";

export default class Version extends CrmCommand {
  static override description = "Shows the versions of crm and of Node.";
  static override jsonResult = "{version, node, platform}";
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
