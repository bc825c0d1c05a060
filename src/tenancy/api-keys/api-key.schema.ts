/** What comes in for an API key: what to call it. */
import { z } from "zod";
import { name } from "../../kit/input/name.ts";

export const apiKeyName = z.object({ name: name() });
