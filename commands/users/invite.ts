/** `crm users invite`: lets a person into a workspace. */
import { Args, Flags } from "@oclif/core";
import { roles } from "../../src/vocabulary/states.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { reachFlags } from "../../terminal/input/flags.ts";

export default class UsersInvite extends CrmCommand {
  static override description = "Invites a person to a workspace. An owner reaches every location, whatever is named.";
  static override examples = [
    "<%= config.bin %> users invite ada@example.com --role owner",
    '<%= config.bin %> users invite grace@example.com --name "Grace Hopper" --role member --location 1 --location 2 --json',
  ];
  static override args = { email: Args.string({ description: "The person's e-mail address.", required: true }) };
  static override flags = {
    role: Flags.option({ description: "What the person may do.", options: roles, required: true })(),
    name: Flags.string({ description: "The person's name; the address unless given." }),
    ...reachFlags,
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(UsersInvite);
    const { role, name, location: locationIds = null } = flags;
    return this.inWorkspace({ workspace: flags.workspace, location: locationIds?.[0] }, async (caller) => {
      const [{ inviteUser }, { invitation }, { readInput }] = await Promise.all([
        import("../../src/tenancy/users/user.service.ts"),
        import("../../src/tenancy/users/user.schema.ts"),
        import("../../src/kit/input/read-input.ts"),
      ]);
      const input = readInput(invitation, { email: args.email, name, role });
      const user = await caller.change((change) => inviteUser(change, { ...input, locationIds }));
      this.log(`Invited ${user.email} as ${user.role}, user ${user.id}.`);
      return { id: user.id, email: user.email, role: user.role };
    });
  }
}
