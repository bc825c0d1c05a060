/** `crm locations update` */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { idOrNameArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { locationFlags, toLocationFields } from "../../terminal/input/location-flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class LocationsUpdate extends CrmCommand {
  static override description = "Changes the given fields of a location; an empty value clears one.";
  static override jsonResult = "the location as the API shows it";
  static override examples = [
    "<%= config.bin %> locations update 1 --timezone America/Chicago",
    '<%= config.bin %> locations update 1 --name "Main Street" --website "" --json',
  ];
  static override args = { location: idOrNameArgument("ID or name of the location.") };
  static override flags = {
    ...workspaceFlag,
    name: Flags.string({ description: "Its name." }),
    ...locationFlags,
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(LocationsUpdate);
    const fields = { name: flags.name, ...toLocationFields(flags) };
    if (Object.values(fields).every((value) => value === undefined)) {
      throw new WrongUsage("Nothing to change: give at least one field, such as --name.");
    }
    const where = { workspace: flags.workspace, location: args.location };
    return this.inLocation(where, async ({ workspaceId, location: { id } }, service) => {
      const { updateLocation } = await import("../../src/tenancy/locations/location.operations.ts");
      const caller = service.inWorkspace(workspaceId);
      const location = await service.carryOut(updateLocation, caller, { location: id, input: fields });
      this.log(`Updated location ${location.id} (${printable(location.name)}).`);
      return location;
    });
  }
}
