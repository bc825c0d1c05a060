/** The input of a workspace. */
import { z } from "zod";
import { name } from "../../kit/input/name.ts";

export const workspaceInput = z.object({ name: name() });

export type WorkspaceInput = z.output<typeof workspaceInput>;
