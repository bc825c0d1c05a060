/** The data folder and the master key: there, of this user, and closed to others. */
import { stat } from "node:fs/promises";
import { shellWord } from "../../kit/text.ts";
import { permissionWarnings } from "../../storage/data-folder.ts";
import { failure, listOf, ok, warning } from "../check.ts";
import type { Check, Machine } from "../check.ts";

export const dataFolder: Check<Machine> = {
  name: "data folder",
  async examine({ settings: { dataDir } }) {
    const found = await stat(dataDir).catch((error: NodeJS.ErrnoException) => error.code ?? "unknown");
    if (typeof found === "string")
      return failure(`${dataDir} cannot be read (${found})`, "set CRM_DATA_DIR, or run crm setup");
    const user = process.getuid?.();
    if (user !== undefined && user !== 0 && found.uid !== user)
      return failure(
        `${dataDir} belongs to user ${found.uid}, and crm runs as user ${user}`,
        `chown -R ${user} ${shellWord(dataDir)}`,
      );
    const [sentence, ...more] = permissionWarnings(dataDir);
    if (sentence === undefined) return ok(`${dataDir} is closed to others`);
    return warning(
      listOf([sentence, ...more].map((text) => text.replace(/: chmod.*/, ""))),
      `chmod -R go= ${shellWord(dataDir)}`,
    );
  },
};
