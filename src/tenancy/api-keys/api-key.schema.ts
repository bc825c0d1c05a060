/** What comes in for an API key: what to call it. */
import { z } from "zod";
import { text } from "../../kit/input/fields.ts";
import { limits } from "../../vocabulary/limits.ts";

export const apiKeyName = z.object({ name: text(limits.name) });
