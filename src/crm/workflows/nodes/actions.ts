/** Every node that does something inside of the change that moves the run. A further one is an entry here. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import type { ActionNode, ActionType, Performed } from "../walk/world.ts";
import type { Action, Occasion } from "./action.ts";
import { addNote } from "./add-note.ts";
import { addTag } from "./add-tag.ts";
import { createTask } from "./create-task.ts";
import { moveStage } from "./move-stage.ts";
import { removeTag } from "./remove-tag.ts";
import { sendMessage } from "./send-message.ts";
import { updateContact } from "./update-contact.ts";
import { postsWebhook } from "./webhook.ts";

const actions: { readonly [Type in ActionType]: Action<Type> } = {
  send_message: sendMessage,
  add_tag: addTag,
  remove_tag: removeTag,
  create_task: createTask,
  add_note: addNote,
  update_contact: updateContact,
  move_stage: moveStage,
  webhook: postsWebhook,
};

export function performAction(change: Change<LocationContext>, node: ActionNode, occasion: Occasion): Promise<Performed> {
  // The node is one of the type that picks its action.
  const act = actions[node.type] as Action<ActionType>;
  return act(change, node as never, occasion);
}
