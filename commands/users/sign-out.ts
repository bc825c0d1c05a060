/** `crm users sign-out` */
import { CrmCommand } from "../../terminal/command.ts";
import { idFlag, personArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { counted } from "../../src/kit/text.ts";

export default class UsersSignOut extends CrmCommand {
  static override description =
    "Signs a person out in every browser, or in one. Apps that they allowed keep their access, and so do API keys.";
  static override jsonResult = "{id, email, ended}; ended is the number of sessions";
  static override examples = [
    "<%= config.bin %> users sign-out grace@example.com",
    "<%= config.bin %> users sign-out grace@example.com --session 12 --json",
  ];
  static override args = { person: personArgument };
  static override flags = {
    ...workspaceFlag,
    session: idFlag({ description: "Only this session, by its id in crm users sessions." }),
  };

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(UsersSignOut);
    return this.inWorkspace({ workspace: flags.workspace }, async (caller, service) => {
      const [{ endSessions }, { accountOf }] = await Promise.all([
        import("../../src/tenancy/sessions/session.operations.ts"),
        import("../../terminal/input/choosing/choose-account.ts"),
      ]);
      const { account, id, email } = await accountOf(service, caller, args.person);
      const { ended } = await service.carryOut(endSessions, account, { input: { id: flags.session } });
      this.log(`Signed ${email} out of ${counted(ended, "browser")}.`);
      return { id, email, ended };
    });
  }
}
