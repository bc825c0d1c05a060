/** Removes the messages of the person's conversations, their files, and at last the conversations themselves. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { listed } from "../../../storage/json.ts";
import { sql } from "../../../storage/sql-text.ts";
import { Invalid, Refusal } from "../../../vocabulary/errors.ts";
import { detachedAt, removeUnsentPieces, removeUnsentRows } from "../../conversations/attachments/attachment.duties.ts";
import { lockConversation } from "../../conversations/conversation-activity.ts";
import { removeConversationPiece } from "../../conversations/conversation-removal.service.ts";
import type { ErasureStep, Piece } from "./erasure-step.ts";

const nextText = sql`select id from conversations where contact_id in ${listed} and id > ? order by id limit 1`;

/** A step for each conversation of the person. One that a request or another process has deleted since it was found is passed. */
function ofConversations(
  name: string,
  work: (change: Change<LocationContext>, id: number, reached: number) => Promise<Piece>,
): ErasureStep {
  return {
    name,
    async piece(change, { list, reached }) {
      const [conversation] = await change.rows<{ id: number }>(nextText, [list, reached]);
      if (conversation === undefined) return { next: null };
      const { id } = conversation;
      try {
        return await work(change, id, reached);
      } catch (error) {
        if (error instanceof Refusal && error.code === "conversation.not_found")
          return { next: { place: 0, reached: id } };
        throw error;
      }
    },
  };
}

/** The rows stay until events are found by them. */
export const conversationStep = ofConversations("messages", async (change, id, reached) => {
  try {
    const { count, files, isDone } = await removeConversationPiece(change, id, { keepsRow: true });
    return { next: { place: 0, reached: isDone ? id : reached }, removed: { messages: count, files } };
  } catch (error) {
    // A message is being sent, and its result is to be recorded first.
    if (error instanceof Invalid) return { next: "waits" };
    throw error;
  }
});

const messagesText = "select 1 from messages where conversation_id = ? limit 1";

export const conversationRowStep = ofConversations("conversations", async (change, id) => {
  await lockConversation(change, id);
  // Written since: the row is needed once more, to find their events.
  if ((await change.rows(messagesText, [id])).length > 0)
    return { next: { step: conversationStep.name, place: 0, reached: 0 } };
  change.send("delete from conversations where id = ?", [id]);
  return { next: { place: 0, reached: id }, removed: { conversations: 1 } };
});

/** Those that the messages had; with them any others that wait to be removed. */
export const fileStep: ErasureStep = {
  name: "files",
  prepare: (rows, _scope, blobs) => removeUnsentPieces(rows, blobs, new Date(detachedAt.getTime() + 1)),
  async piece(change, { reached }, ids) {
    await removeUnsentRows(change, ids);
    return { next: ids.length === 0 ? null : { place: 0, reached: reached + 1 } };
  },
};
