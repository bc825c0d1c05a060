/** `crm users sessions` */
import { CrmCommand } from "../../terminal/command.ts";
import { personArgument, workspaceFlag } from "../../terminal/input/flags.ts";
import { table } from "../../terminal/output/table.ts";

export default class UsersSessions extends CrmCommand {
  static override description =
    "Lists the browsers in which a person is signed in, latest sign-in first. End them with crm users sign-out.";
  static override jsonResult = "[{id, browser, signed_in_at, last_used_at}]; last_used_at is accurate to an hour";
  static override examples = [
    "<%= config.bin %> users sessions grace@example.com",
    "<%= config.bin %> users sessions grace@example.com --json",
  ];
  static override args = { person: personArgument };
  static override flags = workspaceFlag;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(UsersSessions);
    return this.inWorkspace(flags, async (caller, service) => {
      const [{ listSessions }, { accountOf }] = await Promise.all([
        import("../../src/tenancy/sessions/session.operations.ts"),
        import("../../terminal/input/choosing/choose-account.ts"),
      ]);
      const { account, email } = await accountOf(service, caller, args.person);
      const sessions = await service.carryOut(listSessions, account, {});
      this.log(
        table(sessions, ["id", "browser", "signed_in_at", "last_used_at"], {
          cuts: ["browser"],
          none: `${email} is not signed in anywhere.`,
        }),
      );
      return sessions;
    });
  }
}
