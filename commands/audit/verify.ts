/** `crm audit verify`: proves that no entry of the audit log was changed, removed or moved. */
import { Flags } from "@oclif/core";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";

export default class AuditVerify extends CrmCommand {
  static override description = `Verifies the audit log: every entry against its hash, and each hash against the one before.

Exits 0 if the log is whole, and 1 if an entry was changed, removed, added or moved since the worker chained it. The ends of the log are sealed with the master key, so that a change of the database alone cannot forge it. Note the last position and hash elsewhere: with --expect, a database that was set back to an older copy is found as well.`;
  static override jsonResult = "{verified, unchained, pruned_to, head: {position, hash}, fault: {position, message}}";
  static override examples = [
    "<%= config.bin %> audit verify",
    "<%= config.bin %> audit verify --expect 4211:9f86d081…",
  ];

  static override flags = {
    expect: Flags.string({
      description: "The position and hash that an earlier run printed: the log must still hold them.",
      helpValue: "POSITION:HASH",
    }),
  };

  async run(): Promise<unknown> {
    const { flags } = await this.parse(AuditVerify);
    const [, position, hash] = /^(\d{1,16}):([\da-f]{64})$/.exec(flags.expect ?? "") ?? [];
    if (flags.expect !== undefined && hash === undefined)
      throw new WrongUsage("--expect takes a position and a hash of 64 hex digits, such as 4211:9f86….");
    return this.withService(async ({ database, tools }) => {
      const { verifyAuditLog } = await import("../../src/operation/audit/verify.ts");
      const expected = hash === undefined ? undefined : { position: Number(position), hash };
      const verdict = await database.snapshot((rows) => verifyAuditLog(rows, tools.vault, expected));
      const { verified, unchained, pruned_to: pruned, head, fault } = verdict;
      const after = pruned === 0 ? "" : ` after ${pruned}, up to which retention removed them`;
      this.log(
        fault === null
          ? `The audit log is whole: ${verified} entries${after}.`
          : `${fault.message} The ${verified} entries before it are whole${after}.`,
      );
      if (unchained > 0) this.log(`${unchained} entries are not chained yet: a running worker does so within seconds.`);
      if (head.position > 0) this.log(`Last: ${head.position}:${head.hash}`);
      if (fault !== null) process.exitCode = 1;
      return verdict;
    });
  }
}
