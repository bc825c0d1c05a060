/** Every node that does something inside of the change that moves the run. A further one is an entry here. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import type { ActionNode, ActionType, Performed } from "../walk/world.ts";
import type { Action, Occasion } from "./action.ts";
import { addNoteAction } from "./add-note.ts";
import { addTag } from "./add-tag.ts";
import { createTaskAction } from "./create-task.ts";
import { moveStage } from "./move-stage.ts";
import { removeTag } from "./remove-tag.ts";
import { sendMessageAction } from "./send-message.ts";
import { updateContactAction } from "./update-contact.ts";
import { postsWebhook } from "./webhook.ts";

const actions: { readonly [Type in ActionType]: Action<Type> } = {
  send_message: sendMessageAction,
  add_tag: addTag,
  remove_tag: removeTag,
  create_task: createTaskAction,
  add_note: addNoteAction,
  update_contact: updateContactAction,
  move_stage: moveStage,
  webhook: postsWebhook,
};

export function performAction(
  change: Change<LocationContext>,
  node: ActionNode,
  occasion: Occasion,
): Promise<Performed> {
  // The node is one of the type that picks its action.
  const act = actions[node.type] as Action<ActionType>;
  return act(change, node as never, occasion);
}
