/** `crm users list` */
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class UsersList extends CrmCommand {
  static override description =
    "Lists the people of a workspace, and whether they have joined; a person without locations reaches all of them.";
  static override jsonResult = "[{id, name, email, role, location_ids, has_joined}]; location_ids is null for all";
  static override examples = ["<%= config.bin %> users list", "<%= config.bin %> users list --json"];
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { flags } = await this.parse(UsersList);
    const { listPeople } = await import("../../src/tenancy/users/user.operations.ts");
    const users = await this.listAll(listPeople, flags);
    const rows = users.map((user) => ({
      ...user,
      locations: user.location_ids ?? "all",
      state: user.has_joined ? "joined" : "invited",
    }));
    this.log(
      table(rows, ["id", "email", "name", "role", "locations", "state"], {
        cuts: ["email", "name"],
        none: "No people yet. Invite the first: crm users invite EMAIL --role owner",
      }),
    );
    return users;
  }
}
