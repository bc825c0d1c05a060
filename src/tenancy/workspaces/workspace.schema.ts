/** The input of a workspace. */
import { z } from "zod";
import { name } from "../../kit/input/name.ts";

export const workspaceInput = z.object({ name: name() });

export const twoFactorInput = z.object({ required: z.boolean({ error: "must be true or false." }) });

export type WorkspaceInput = z.output<typeof workspaceInput>;
