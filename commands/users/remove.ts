/** `crm users remove` */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { personArgument, workspaceFlag, yesFlag } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class UsersRemove extends CrmCommand {
  static override description =
    "Removes a person from a workspace and signs them out; apps that they allowed lose access, and what they wrote stays. The last owner cannot be removed.";
  static override jsonResult = "{id, email, removed}";
  static override examples = [
    "<%= config.bin %> users remove grace@example.com",
    "<%= config.bin %> users remove grace@example.com --yes --json",
  ];
  static override args = { person: personArgument };
  static override flags = { ...workspaceFlag, ...yesFlag };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(UsersRemove);
    await confirm(`remove ${printable(String(args.person))} from the workspace`, flags);
    return this.inWorkspace(flags, async (caller, service) => {
      const [{ removeUser }, { getUser }] = await Promise.all([
        import("../../src/tenancy/users/user.operations.ts"),
        import("../../src/tenancy/users/user.queries.ts"),
      ]);
      const { id, email } = await getUser(caller, args.person);
      await service.carryOut(removeUser, caller, { user: id });
      this.log(`Removed ${email} (user ${id}) from the workspace.`);
      return { id, email, removed: true };
    });
  }
}
