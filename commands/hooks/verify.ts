/** `crm hooks verify`: checks a signature, for receiver authors. Needs no database and no server. */
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Args, Flags } from "@oclif/core";
import { systemClock } from "../../src/kit/time/clock.ts";
import { findSignatureFault } from "../../src/webhooks/signature.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { countFlag } from "../../terminal/input/flags.ts";

export default class HooksVerify extends CrmCommand {
  static override description = `Says whether the signature of a delivery is valid, and if not, which check failed.

The body is read from the file or from stdin, byte for byte as received. The secret comes from CRM_HOOK_SECRET or CRM_HOOK_SECRET_FILE; other users of the machine can read a
flag. Exits 0 or 1. Needs no database.`;
  static override jsonResult = "{valid, reason}";
  static override examples = [
    'CRM_HOOK_SECRET=whsec_… <%= config.bin %> hooks verify body.json --signature "t=1772366400,v1=5257a8…"',
    'curl … | <%= config.bin %> hooks verify --signature "$HEADER" --tolerance 3600 --json',
  ];
  // oclif would take what is piped for the name of the file.
  static override args = { file: Args.string({ description: "The body; stdin by default." }) };
  static override flags = {
    signature: Flags.string({ description: "The header X-Service-Signature.", required: true, helpValue: "HEADER" }),
    secret: Flags.string({ description: "The secret of the webhook (CRM_HOOK_SECRET)." }),
    tolerance: countFlag(999_999_999, {
      description: "Tolerance of the timestamp in seconds.",
      default: 300,
    }),
  };

  async run(): Promise<{ valid: boolean; reason: string | null }> {
    const { args, flags } = await this.parse(HooksVerify);
    const { hookSecret } = this.settings({ hookSecret: flags.secret });
    if (hookSecret === null) throw new WrongUsage("No secret given: set CRM_HOOK_SECRET.");
    const reason =
      findSignatureFault({
        header: flags.signature,
        body: await readBody(args.file),
        secret: hookSecret,
        now: systemClock.now().getTime(),
        toleranceSeconds: flags.tolerance,
      }) ?? null;
    if (reason !== null) process.exitCode = 1;
    this.log(reason ?? "The signature is valid.");
    return { valid: reason === null, reason };
  }
}

async function readBody(file: string | undefined): Promise<Buffer> {
  if (file === undefined || file === "-") return buffer(process.stdin);
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read (${error.code ?? error.message}).`);
  });
}
