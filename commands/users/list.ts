/** `crm users list` */
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class UsersList extends CrmCommand {
  static override description = "Lists the people of a workspace; a person without locations reaches all of them.";
  static override jsonResult = "[{id, name, email, role, location_ids}]; location_ids is null for all";
  static override examples = ["<%= config.bin %> users list", "<%= config.bin %> users list --json"];
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { flags } = await this.parse(UsersList);
    const { listUsers } = await import("../../src/tenancy/users/user.operations.ts");
    const users = await this.listAll(listUsers, flags);
    const rows = users.map((user) => ({ ...user, locations: user.location_ids ?? "all" }));
    this.log(
      table(rows, ["id", "email", "name", "role", "locations"], {
        cuts: ["email", "name"],
        none: "No people yet. Invite the first: crm users invite EMAIL --role owner",
      }),
    );
    return users;
  }
}
