/** Indexes that the entities declare and the database lacks, or does not use. */
import { findInvalidIndexes, findMissingIndexes } from "../../storage/inspection/indexes.ts";
import { failure, ok } from "../check.ts";
import type { Check, Data } from "../check.ts";

export const indexes: Check<Data> = {
  name: "indexes",
  async examine({ database }) {
    const missing = await findMissingIndexes(database);
    if (missing.length > 0)
      return failure(
        `missing: ${missing.map(({ name }) => name).join(", ")}`,
        missing.map(({ create }) => create).join(" "),
      );
    const invalid = await findInvalidIndexes(database);
    if (invalid.length > 0)
      return failure(
        `not used, since their creation failed: ${invalid.join(", ")}`,
        invalid.map((name) => `reindex index concurrently "${name}";`).join(" "),
      );
    return ok("every declared index is there");
  },
};
