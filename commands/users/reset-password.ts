/** `crm users reset-password` */
import { CrmCommand } from "../../terminal/command.ts";
import { personArgument, workspaceFlag } from "../../terminal/input/flags.ts";

export default class UsersResetPassword extends CrmCommand {
  static override description = `Mails a person of the workspace a link to choose a new password, or prints it without a mail server (CRM_SMTP_URL).

It works once, for a day. The old password works until then; choosing a new one signs the person out everywhere.`;
  static override jsonResult = "{id, email} with mailed: true or reset_url";
  static override examples = [
    "<%= config.bin %> users reset-password grace@example.com",
    "<%= config.bin %> users reset-password grace@example.com --json",
  ];
  static override args = { person: personArgument };
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(UsersResetPassword);
    return this.inWorkspace(flags, async (caller, service) => {
      const [{ resetPassword }, { getUser }] = await Promise.all([
        import("../../src/tenancy/users/user.operations.ts"),
        import("../../src/tenancy/users/user.queries.ts"),
      ]);
      const user = (await getUser(caller, args.person)).id;
      const reset = await service.carryOut(resetPassword, caller, { user });
      if (reset.mailed) this.log(`A link to reset the password was mailed to ${reset.email}.`);
      if (reset.reset_url !== undefined)
        this.log(`The link to reset the password of ${reset.email} works once, within a day:\n${reset.reset_url}`);
      return reset;
    });
  }
}
