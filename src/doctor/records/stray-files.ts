/** Files in the store that no attachment names: what a crash between the two left behind. */
import { findAttachmentKeys } from "../../crm/conversations/attachments/attachment.queries.ts";
import type { Blobs } from "../../blobs/blobs.ts";
import type { Rows } from "../../storage/rows.ts";
import { ok, warning } from "../check.ts";
import type { Check, Data } from "../check.ts";
import { counted } from "../../kit/text.ts";

const batch = 500;
/** An upload writes its file before its row. In milliseconds. */
const youngest = 86_400_000;

async function* eachStray(rows: Rows, blobs: Blobs, before: Date): AsyncGenerator<string> {
  let keys: string[] = [];
  async function* judge(): AsyncGenerator<string> {
    const named = new Set(await findAttachmentKeys(rows, keys));
    for (const key of keys) if (!named.has(key)) yield key;
    keys = [];
  }
  for await (const { key, changedAt } of blobs.list()) {
    if (changedAt >= before) continue;
    keys.push(key);
    if (keys.length === batch) yield* judge();
  }
  yield* judge();
}

export const strayFiles: Check<Data> = {
  name: "stray files",
  async examine({ database, blobs, clock }) {
    if (blobs === null) return ok("not looked for: the files are elsewhere");
    let count = 0;
    for await (const _ of eachStray(database, blobs, new Date(clock.now().getTime() - youngest))) count += 1;
    return count === 0
      ? ok("every stored file belongs to an attachment")
      : warning(
          `${counted(count, "stored file")} of no attachment of this database`,
          "crm doctor --fix --remove-files, if no other database uses CRM_BLOB_URL",
        );
  },
  async mend({ database, blobs, clock }) {
    let count = 0;
    for await (const key of eachStray(database, blobs!, new Date(clock.now().getTime() - youngest))) {
      await blobs!.remove(key);
      count += 1;
    }
    return `removed ${counted(count, "stored file")}`;
  },
};
