/** `crm users invite-again` */
import { CrmCommand } from "../../terminal/command.ts";
import { personArgument, workspaceFlag } from "../../terminal/input/flags.ts";

export default class UsersInviteAgain extends CrmCommand {
  static override description = `Makes a new link for an invited person to join, for one that was lost or has expired.

It is mailed, or printed without a mail server (CRM_SMTP_URL). The link works once, for a week; earlier ones of this workspace stop working.`;
  static override jsonResult = "as crm users invite";
  static override examples = [
    "<%= config.bin %> users invite-again grace@example.com",
    "<%= config.bin %> users invite-again grace@example.com --json",
  ];
  static override args = { person: personArgument };
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(UsersInviteAgain);
    return this.inWorkspace(flags, async (caller, service) => {
      const [{ makeInvitationLink }, { getUser }] = await Promise.all([
        import("../../src/tenancy/users/user.operations.ts"),
        import("../../src/tenancy/users/user.queries.ts"),
      ]);
      const user = (await getUser(caller, args.person)).id;
      const invited = await service.carryOut(makeInvitationLink, caller, { user });
      if (invited.mailed) this.log(`A new link to join was mailed to ${invited.email}.`);
      if (invited.invite_url !== undefined)
        this.log(`The new link to join works once, within a week:\n${invited.invite_url}`);
      return invited;
    });
  }
}
