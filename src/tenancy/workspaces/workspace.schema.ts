/** What comes in for a workspace. */
import { z } from "zod";
import { text } from "../../kit/input/fields.ts";
import { limits } from "../../vocabulary/limits.ts";

export const workspaceInput = z.object({ name: text(limits.name) });

export type WorkspaceInput = z.output<typeof workspaceInput>;
