/** `crm users reset-password`: a link by which somebody chooses another password. */
import { Args } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { workspaceFlag } from "../../terminal/input/flags.ts";

export default class UsersResetPassword extends CrmCommand {
  static override description = `Prints a link by which a person of the workspace chooses another password.

It works once and for a day. The old password works until then; choosing another signs the person out everywhere.`;
  static override examples = [
    "<%= config.bin %> users reset-password grace@example.com",
    "<%= config.bin %> users reset-password grace@example.com --json",
  ];
  static override args = { email: Args.string({ description: "The person's e-mail address.", required: true }) };
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(UsersResetPassword);
    return this.inWorkspace(flags, async (caller) => {
      const { makeResetLink } = await import("../../src/tenancy/invitations/account-link.service.ts");
      const { user, url } = await caller.change((change) => makeResetLink(change, args.email));
      this.log(`The link by which ${user.email} chooses another password, once and within a day:\n${url}`);
      return { id: user.id, email: user.email, reset_url: url };
    });
  }
}
