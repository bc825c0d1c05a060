/** What the verbs that change a conversation share: one PATCH, judged as over HTTP. */
import type { ConversationView } from "../src/crm/conversations/conversation.view.ts";
import type { Caller, Place } from "../src/events/caller.ts";

/** Changes the given fields, by the names of the API. */
export async function changeConversation(
  caller: Caller<Place>,
  id: number,
  fields: Readonly<Record<string, unknown>>,
): Promise<ConversationView> {
  const [{ updateConversation }, { conversationPatch }, { readInput }] = await Promise.all([
    import("../src/crm/conversations/conversation.service.ts"),
    import("../src/crm/conversations/conversation.schema.ts"),
    import("../src/kit/input/read-input.ts"),
  ]);
  const input = readInput(conversationPatch, fields);
  return caller.change((change) => updateConversation(change, id, input));
}
