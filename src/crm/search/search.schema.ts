/** The input of a search. */
import { z } from "zod";
import { text } from "../../kit/input/fields.ts";
import { limits } from "../../vocabulary/limits.ts";

/** GET /search. */
export const searchQuery = z.object({
  q: text(limits.name).describe(
    "Words, parts of words, an e-mail address or a phone number. All must match: those of three or more characters anywhere, shorter ones at the beginning of a word.",
  ),
});
