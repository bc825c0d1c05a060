/** Changes the tags of a workspace. Putting them on contacts is the contacts' business. */
import type { Change } from "../../events/caller.ts";
import { fold } from "../../kit/text.ts";
import { isTaken } from "../../storage/faults.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { Tag } from "./tag.entity.ts";
import type { TagInput } from "./tag.schema.ts";
import type { TagView } from "./tag.view.ts";

/** Creates a tag. Refuses, on `name`, one that the workspace has already, whatever its case and spacing. */
export async function createTag(change: Change, { name, color = null }: TagInput): Promise<TagView> {
  const tag = change.em.create(Tag, {
    workspace: change.workspaceId,
    name,
    nameKey: fold(name),
    color,
    createdAt: change.now,
  });
  try {
    // The unique index judges, so that of two at the same moment one is refused.
    await change.em.flush();
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new Invalid({ name: ["The name has already been taken."] });
  }
  return { id: tag.id, name, color };
}
