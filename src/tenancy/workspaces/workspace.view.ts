/** The response shape of a workspace. */
import { z } from "zod";

export const workspaceView = z
  .object({ id: z.int(), name: z.string() })
  .meta({ id: "Workspace", description: "A company with locations, people, tags and API keys of its own." });

export type WorkspaceView = z.output<typeof workspaceView>;

/** Whether a workspace requires two-factor sign-in. */
export const twoFactorView = z.object({ id: z.int(), name: z.string(), two_factor_required: z.boolean() });
