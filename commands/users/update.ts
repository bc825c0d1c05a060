/** `crm users update` */
import { Flags } from "@oclif/core";
import type { UserView } from "../../src/tenancy/users/user.view.ts";
import { roles } from "../../src/vocabulary/states.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { personArgument, reachFlag, workspaceFlag } from "../../terminal/input/flags.ts";

export default class UsersUpdate extends CrmCommand {
  static override description = `Changes a person's name, e-mail address, role or locations.

Name and address apply in every workspace. With a new address the person keeps the password and is signed out, links mailed to the old address stop working, and invitations of other workspaces are withdrawn.

--location replaces all of their locations. An owner reaches every location, and a former owner still does unless locations are named; the last owner stays one.`;
  static override jsonResult = "{id, name, email, role, location_ids}";
  static override examples = [
    '<%= config.bin %> users update owner@example.com --name "Ada Lovelace" --email ada@example.com',
    "<%= config.bin %> users update grace@example.com --role manager",
    "<%= config.bin %> users update grace@example.com --location 1 --location 2",
    "<%= config.bin %> users update 3 --role member --all-locations --json",
  ];
  static override args = { person: personArgument };
  static override flags = {
    ...workspaceFlag,
    name: Flags.string({ description: "The person's name." }),
    email: Flags.string({ description: "The person's e-mail address, used to sign in." }),
    role: Flags.option({ description: "The person's role.", options: roles })(),
    location: reachFlag("A location to reach, once for each."),
    "all-locations": Flags.boolean({
      description: "Reach every location, including future ones.",
      exclusive: ["location"],
    }),
  };

  async run(): Promise<UserView> {
    const { args, flags } = await this.parse(UsersUpdate);
    const { name, email, role, location: locations, "all-locations": everywhere } = flags;
    if ([name, email, role, locations, everywhere].every((value) => value === undefined)) {
      throw new WrongUsage(
        "Nothing to change: give at least one of --name, --email, --role, --location and --all-locations.",
      );
    }
    return this.inWorkspace({ workspace: flags.workspace, location: locations?.[0] }, async (caller, service) => {
      const [{ updateUser }, { getUser }, { chooseLocations }] = await Promise.all([
        import("../../src/tenancy/users/user.operations.ts"),
        import("../../src/tenancy/users/user.queries.ts"),
        import("../../terminal/input/choosing/choose-location.ts"),
      ]);
      const person = (await getUser(caller, args.person)).id;
      const named = locations && (await chooseLocations(service, caller, locations));
      const locationIds = everywhere ? null : named;
      const input = { name, email, role, location_ids: locationIds };
      const user = await service.carryOut(updateUser, caller, { user: person, input });
      const reach = user.location_ids === null ? "every location" : `locations ${user.location_ids.join(", ")}`;
      this.log(`Updated ${user.email}: ${user.role}, reaches ${reach}.`);
      if (email !== undefined)
        this.log(`They sign in as ${user.email}. If they have no password yet: crm users reset-password ${user.email}`);
      return user;
    });
  }
}
