/** `crm locations create`: another store, office or client account of a workspace. */
import { Args } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { locationFlags, toLocationFields } from "../../terminal/input/location-flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class LocationsCreate extends CrmCommand {
  static override description =
    "Creates a location with a pipeline of its own. Contacts and everything about them belong to one location.";
  static override jsonResult = "the location as the API shows it";
  static override examples = [
    '<%= config.bin %> locations create "Main Street" --timezone America/New_York',
    '<%= config.bin %> locations create "Berlin" --timezone Europe/Berlin --country DE --city Berlin --json',
  ];
  static override args = { name: Args.string({ description: "Its name.", required: true }) };
  static override flags = { ...workspaceFlag, ...locationFlags };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(LocationsCreate);
    const { createLocation } = await import("../../src/crm/pipelines/open-location.operations.ts");
    const input = { name: args.name, ...toLocationFields(flags) };
    const location = await this.carryOut(createLocation, flags, { input });
    this.log(`Created location ${location.id} (${printable(location.name)}), time zone ${location.timezone}.`);
    return location;
  }
}
