/** `crm users update`: changes what a person may do, and where. */
import { Args, Flags } from "@oclif/core";
import type { UserView } from "../../src/tenancy/users/user.view.ts";
import { roles } from "../../src/vocabulary/states.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { reachFlag, workspaceFlag } from "../../terminal/input/flags.ts";

export default class UsersUpdate extends CrmCommand {
  static override description = `Changes the role or the locations of a person.

--location names all of them anew. An owner reaches every location; the last owner stays one.`;
  static override examples = [
    "<%= config.bin %> users update grace@example.com --role manager",
    "<%= config.bin %> users update grace@example.com --location 1 --location 2",
    "<%= config.bin %> users update grace@example.com --role member --all-locations --json",
  ];
  static override args = { email: Args.string({ description: "The person's e-mail address.", required: true }) };
  static override flags = {
    ...workspaceFlag,
    role: Flags.option({ description: "What the person may do.", options: roles })(),
    location: reachFlag("A location to reach, once for each."),
    "all-locations": Flags.boolean({
      description: "Reach every location, those to come included.",
      exclusive: ["location"],
    }),
  };

  async run(): Promise<UserView> {
    const { args, flags } = await this.parse(UsersUpdate);
    const { role, location } = flags;
    const locationIds = flags["all-locations"] ? null : location;
    if (role === undefined && locationIds === undefined) {
      throw new WrongUsage("Nothing to change was given: name --role, --location or --all-locations.");
    }
    return this.inWorkspace({ workspace: flags.workspace, location: location?.[0] }, async (caller) => {
      const { changeUser } = await import("../../src/tenancy/users/user.service.ts");
      const user = await caller.change((change) => changeUser(change, args.email, { role, locationIds }));
      const reach = user.location_ids === null ? "every location" : `locations ${user.location_ids.join(", ")}`;
      this.log(`Updated ${user.email}: ${user.role}, reaches ${reach}.`);
      return user;
    });
  }
}
