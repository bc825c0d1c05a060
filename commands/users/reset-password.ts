/** `crm users reset-password`: a link by which somebody chooses another password. */
import { CrmCommand } from "../../terminal/command.ts";
import { personArgument, workspaceFlag } from "../../terminal/input/flags.ts";

export default class UsersResetPassword extends CrmCommand {
  static override description = `Mails a person of the workspace a link to another password, or prints it where no mail server is set (CRM_SMTP_URL).

It works once and for a day. The old password works until then; choosing another signs the person out everywhere.`;
  static override examples = [
    "<%= config.bin %> users reset-password grace@example.com",
    "<%= config.bin %> users reset-password grace@example.com --json",
  ];
  static override args = { person: personArgument };
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(UsersResetPassword);
    return this.inWorkspace(flags, async (caller, service) => {
      const [{ makeResetLink }, { resetLetter }, { mailLink }] = await Promise.all([
        import("../../src/tenancy/invitations/account-link.service.ts"),
        import("../../src/tenancy/invitations/account-mail.ts"),
        import("../../terminal/output/mailed-link.ts"),
      ]);
      const { user, url } = await caller.change((change) => makeResetLink(change, args.person));
      if (await mailLink(service, resetLetter({ ...user, url }))) {
        this.log(`The link to another password was mailed to ${user.email}.`);
        return { id: user.id, email: user.email, mailed: true };
      }
      this.log(`The link by which ${user.email} chooses another password, once and within a day:\n${url}`);
      return { id: user.id, email: user.email, reset_url: url };
    });
  }
}
