/** The result of a setup. */
import { z } from "zod";

const named = z.object({ id: z.int(), name: z.string() });

/** `api_key.key` is shown this once and stored nowhere. */
export const setupView = z.object({
  workspace: named,
  location: named,
  owner: z.object({
    id: z.int(),
    email: z.string(),
    set_password_url: z.string().optional().describe("Where the owner chooses a password, if none was given."),
  }),
  api_key: z.object({ id: z.int(), key: z.string() }),
});

export type SetupView = z.output<typeof setupView>;
