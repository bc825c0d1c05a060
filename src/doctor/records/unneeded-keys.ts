/** Master keys behind the first one that no secret needs any more. */
import { ok, warning } from "../check.ts";
import type { Check, Data } from "../check.ts";
import { eachSealedSecret } from "./sealed-columns.ts";
import { opens } from "./sealed-secrets.ts";

export const unneededKeys: Check<Data> = {
  name: "master keys",
  async examine({ database, masterKeys }) {
    if (masterKeys === null) return ok("not looked at: they are not at hand");
    const unneeded = new Set(masterKeys.keys());
    unneeded.delete(0);
    if (unneeded.size > 0)
      for await (const secret of eachSealedSecret(database)) {
        const place = masterKeys.findIndex((key) => opens(key, secret));
        unneeded.delete(place);
        if (unneeded.size === 0) break;
      }
    if (unneeded.size === 0)
      return ok(masterKeys.length === 1 ? "there is one" : `all ${masterKeys.length} are needed`);
    const places = [...unneeded].map((place) => place + 1).join(", ");
    return warning(`no secret needs the key at place ${places}`, "remove it from CRM_SECRET_KEYS or secret.key");
  },
};
