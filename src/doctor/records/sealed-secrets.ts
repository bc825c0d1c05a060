/** Whether every encrypted secret opens with the master keys that are there. */
import type { MasterKeys } from "../../kit/secrets/master-keys.ts";
import { failure, listOf, ok } from "../check.ts";
import type { Check, Data } from "../check.ts";
import { eachSealedSecret } from "./sealed-columns.ts";
import type { StoredSecret } from "./sealed-columns.ts";

const mostShown = 100;

export const sealedSecrets: Check<Data> = {
  name: "secrets",
  async examine({ database, masterKeys }) {
    if (masterKeys === null) return ok("not opened: the master key is not at hand");
    let [count, closed] = [0, 0];
    const shown: string[] = [];
    for await (const secret of eachSealedSecret(database)) {
      count += 1;
      if (masterKeys.some((key) => opens(key, secret))) continue;
      closed += 1;
      if (shown.length < mostShown) shown.push(secret.name);
    }
    if (closed === 0) return ok(`${count} encrypted secrets open with the master keys`);
    return failure(
      `${closed} of ${count} secrets do not open: ${listOf(shown)}`,
      "add the master key that they were encrypted with (CRM_SECRET_KEYS), or set these secrets again",
    );
  },
};

/** Whether `key` opens the secret. */
export function opens(key: MasterKeys, { sealed, context }: StoredSecret): boolean {
  try {
    key.open(sealed, context);
    return true;
  } catch {
    return false;
  }
}
