/** The endpoints of conversations and their messages. */
import { z } from "zod";
import { byId, endpoint, heldById, reply } from "../../http/endpoint.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { listConversations } from "./conversation.list.ts";
import { findConversation } from "./conversation.queries.ts";
import { conversationListQuery, conversationPatch, messageInput, startInput } from "./conversation.schema.ts";
import { startConversation, updateConversation } from "./conversation.service.ts";
import { conversationListView, conversationView } from "./conversation.view.ts";
import { listMessages, readLastMessages } from "./messages/message.queries.ts";
import { sendMessage } from "./messages/message.service.ts";
import { messageListView, messageView, shownMessageView } from "./messages/message.view.ts";

const startedView = z
  .object({ conversation: conversationView, message: messageView.nullable().describe("null where no body was given.") })
  .meta({ id: "StartedConversation", description: "The conversation, and the message that was sent there." });

const openedView = z
  .object({
    conversation: conversationView,
    messages: z.array(shownMessageView).describe("The last hundred, oldest first."),
  })
  .meta({ id: "OpenedConversation", description: "A conversation and its last messages." });

export const conversationRoutes = [
  endpoint({
    method: "GET",
    path: "/conversations",
    operationId: "listConversations",
    summary: "Lists conversations, newest message first.",
    tag: "Conversations",
    scope: "conversations.readonly",
    query: conversationListQuery,
    replies: { 200: conversationListView },
    read: async (reader, { query }) => reply(200, await listConversations(reader, query)),
  }),
  endpoint({
    method: "POST",
    path: "/conversations",
    operationId: "startConversation",
    summary: "Starts a conversation with a contact on a channel, or goes on with the one that is not closed.",
    tag: "Conversations",
    scope: "conversations.write",
    input: startInput,
    replies: { 200: startedView, 201: startedView },
    change: async (change, { input }) => {
      const { isNew, conversation, message } = await startConversation(change, input);
      return reply(isNew ? 201 : 200, { conversation, message }, { isUnchanged: !isNew && message === null });
    },
  }),
  endpoint({
    method: "GET",
    path: "/conversations/{id}",
    operationId: "getConversation",
    summary: "Shows a conversation with its last hundred messages, oldest first.",
    tag: "Conversations",
    scope: "conversations.readonly",
    find: { conversation: byId("id", findConversation) },
    replies: { 200: openedView },
    read: async (reader, { conversation }) =>
      reply(200, { conversation, messages: await readLastMessages(reader, conversation.id) }),
  }),
  endpoint({
    method: "PATCH",
    path: "/conversations/{id}",
    operationId: "updateConversation",
    summary: "Opens, snoozes or closes a conversation, assigns it, marks it as read, or says whose it is.",
    tag: "Conversations",
    scope: "conversations.write",
    find: { conversation: byId("id", findConversation) },
    input: conversationPatch,
    replies: { 200: conversationView },
    change: async (change, { conversation, input }) =>
      reply(200, await updateConversation(change, conversation.id, input)),
  }),
  endpoint({
    method: "GET",
    path: "/conversations/{id}/messages",
    operationId: "listMessages",
    summary: "Lists the whole messages of a conversation, newest first.",
    tag: "Conversations",
    scope: "conversations.readonly",
    find: { conversation: byId("id", findConversation) },
    query: pageQuery,
    replies: { 200: messageListView },
    read: async (reader, { conversation, query }) => reply(200, await listMessages(reader, conversation.id, query)),
  }),
  endpoint({
    method: "POST",
    path: "/conversations/{id}/messages",
    operationId: "sendMessage",
    summary: "Sends a text in a conversation, or leaves a note for colleagues there.",
    tag: "Conversations",
    scope: "conversations.write",
    find: { conversation: heldById("id", findConversation) },
    input: messageInput,
    replies: { 201: messageView },
    change: async (change, { conversation, input }) => reply(201, await sendMessage(change, conversation.id, input)),
  }),
];
