/** `crm locations list` */
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class LocationsList extends CrmCommand {
  static override description = "Lists the locations of a workspace.";
  static override jsonResult = "a list of locations as the API shows them";
  static override examples = [
    "<%= config.bin %> locations list",
    "<%= config.bin %> locations list --workspace 2 --json",
  ];
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { flags } = await this.parse(LocationsList);
    const { listLocations } = await import("../../src/tenancy/locations/location.operations.ts");
    const { data: locations } = await this.carryOut(listLocations, flags, {});
    this.log(
      table(locations, ["id", "name", "city", "state", "phone_public", "timezone"], {
        cuts: ["name", "city"],
        none: "No locations yet. Create one: crm locations create NAME",
      }),
    );
    return locations;
  }
}
