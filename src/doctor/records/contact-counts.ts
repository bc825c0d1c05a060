/** The counter of contacts of each location, against its contacts. */
import { correctCount, eachWrongCount } from "../../crm/contacts/contact-counts.ts";
import { failure, fixCommand, listOf, ok } from "../check.ts";
import type { Check, Data } from "../check.ts";
import { counted } from "../../kit/text.ts";

export const contactCounts: Check<Data> = {
  name: "contact counts",
  async examine({ database }) {
    const wrong: string[] = [];
    for await (const { location, difference } of eachWrongCount(database))
      wrong.push(
        `location ${location} has ${Math.abs(difference)} ${difference > 0 ? "more" : "fewer"} than it counts`,
      );
    return wrong.length === 0 ? ok("every location counts its contacts") : failure(listOf(wrong), fixCommand);
  },
  async mend({ database }) {
    let corrected = 0;
    for await (const wrong of eachWrongCount(database)) {
      await correctCount(database, wrong);
      corrected += 1;
    }
    return `corrected the counter of ${counted(corrected, "location")}`;
  },
};
