/** Removes the messages of the person's conversations, their files, and at last the conversations themselves. */
import { listed } from "../../../storage/json.ts";
import { sql } from "../../../storage/sql-text.ts";
import { Invalid, Refusal } from "../../../vocabulary/errors.ts";
import { detachedAt, removeUnsentPieces, removeUnsentRows } from "../../conversations/attachments/attachment.duties.ts";
import { lockConversation } from "../../conversations/conversation-activity.ts";
import { removeConversationPiece } from "../../conversations/conversation-removal.service.ts";
import type { ErasureStep, Piece } from "./erasure-step.ts";

const nextText = sql`select id from conversations where contact_id in ${listed} and id > ? order by id limit 1`;

/** The rows stay until events are found by them. */
export const conversationStep: ErasureStep = {
  name: "messages",
  async piece(change, { list, reached }): Promise<Piece> {
    const [conversation] = await change.rows<{ id: number }>(nextText, [list, reached]);
    if (conversation === undefined) return { next: null };
    const { id } = conversation;
    try {
      const { count, files, isDone } = await removeConversationPiece(change, id, { keepsRow: true });
      return { next: { place: 0, reached: isDone ? id : reached }, removed: { messages: count, files } };
    } catch (error) {
      // A message is being sent, and its result is to be recorded first.
      if (error instanceof Invalid) return { next: "waits" };
      return passedDeleted(error, id);
    }
  },
};

const messagesText = "select 1 from messages where conversation_id = ? limit 1";

export const conversationRowStep: ErasureStep = {
  name: "conversations",
  async piece(change, { list, reached }): Promise<Piece> {
    const [conversation] = await change.rows<{ id: number }>(nextText, [list, reached]);
    if (conversation === undefined) return { next: null };
    const { id } = conversation;
    try {
      await lockConversation(change, id);
    } catch (error) {
      return passedDeleted(error, id);
    }
    // Written since: the row is needed once more, to find their events.
    if ((await change.rows(messagesText, [id])).length > 0)
      return { next: { step: conversationStep.name, place: 0, reached: 0 } };
    change.send("delete from conversations where id = ?", [id]);
    return { next: { place: 0, reached: id }, removed: { conversations: 1 } };
  },
};

/** A request or another process has deleted the conversation since it was found. */
function passedDeleted(error: unknown, id: number): Piece {
  if (error instanceof Refusal && error.code === "conversation.not_found") return { next: { place: 0, reached: id } };
  throw error;
}

/** Those that the messages had; with them any others that wait to be removed. */
export const fileStep: ErasureStep = {
  name: "files",
  prepare: (rows, _scope, blobs) => removeUnsentPieces(rows, blobs, new Date(detachedAt.getTime() + 1)),
  async piece(change, { reached }, ids) {
    await removeUnsentRows(change, ids);
    return { next: ids.length === 0 ? null : { place: 0, reached: reached + 1 } };
  },
};
