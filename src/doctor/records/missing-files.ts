/** Attachments whose file is missing or shorter in the store. */
import { eachStoredFile } from "../../crm/conversations/attachments/attachment.queries.ts";
import { failure, listOf, ok } from "../check.ts";
import type { Check, Data } from "../check.ts";

const mostKept = 100;

export const missingFiles: Check<Data> = {
  name: "missing files",
  async examine({ database, blobs }) {
    if (blobs === null) return ok("not looked for: the files are elsewhere");
    let [count, missing] = [0, 0];
    const shown: string[] = [];
    for await (const { blob_key: key, size } of eachStoredFile(database)) {
      count += 1;
      if (await blobs.has({ key, size })) continue;
      missing += 1;
      if (shown.length < mostKept) shown.push(key);
    }
    if (missing === 0) return ok(`${count} files of attachments are there`);
    return failure(
      `${missing} of ${count} files of attachments are missing: ${listOf(shown)}`,
      "copy them from a backup (crm restore FILE --to an empty database, with CRM_BLOB_URL)",
    );
  },
};
