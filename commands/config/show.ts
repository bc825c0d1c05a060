/** `crm config show`: every setting, its value and its source. */
import { CrmCommand } from "../../terminal/command.ts";
import { table } from "../../terminal/output/table.ts";

export default class ConfigShow extends CrmCommand {
  static override description =
    "Shows every setting, its value (secrets redacted) and its source: flag, environment, file or default.";
  static override jsonResult = "[{name, value, source, description}]";
  static override examples = ["<%= config.bin %> config show", "<%= config.bin %> config show --json"];

  async run(): Promise<unknown> {
    await this.parse(ConfigShow);
    const { describeSettings } = await import("../../config/settings.loading.ts");
    const described = describeSettings();
    this.log(table(described, ["name", "value", "source", "description"]));
    return described;
  }
}
