/** The operations of conversations and their messages. */
import { z } from "zod";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { Outcome } from "../../operation/outcome.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { shownRecord } from "../../operation/shown-record.ts";
import * as removal from "./conversation-removal.service.ts";
import * as lists from "./conversation.list.ts";
import { lockConversation } from "./conversation-activity.ts";
import { findConversation, getConversation as getConversationRow } from "./conversation.queries.ts";
import type { ConversationPatch } from "./conversation.schema.ts";
import { conversationListQuery, conversationPatch, messageInput, startInput } from "./conversation.schema.ts";
import * as service from "./conversation.service.ts";
import { conversationListView, conversationView } from "./conversation.view.ts";
import * as messages from "./messages/message.queries.ts";
import { cancelMessage as cancel } from "./messages/message-cancel.service.ts";
import { retryMessage as retry } from "./messages/message-retry.service.ts";
import * as messageService from "./messages/message.service.ts";
import { messageListView, messageView, shownMessageView } from "./messages/message.view.ts";

const startedView = z
  .object({ conversation: conversationView, message: messageView.nullable().describe("Null if no body was given.") })
  .meta({ id: "StartedConversation", description: "The conversation, and the message that was sent." });

const openedView = z
  .object({
    conversation: conversationView,
    messages: z.array(shownMessageView).describe("The last hundred messages, oldest first."),
  })
  .meta({ id: "OpenedConversation", description: "A conversation and its last messages." });

const conversationRecord = shownRecord({
  gives: openedView,
  lock: (change, { conversation }: { conversation: number }, input: ConversationPatch) =>
    lockConversation(change, conversation, input.contact_id),
  read: async (reader, { conversation: id }) => ({
    conversation: await getConversationRow(reader, id),
    messages: await messages.readLastMessages(reader, id),
  }),
});

export const listConversations = operation({
  name: "listConversations",
  summary: "Lists conversations, newest message first.",
  noun: "Conversations",
  may: { scope: "conversations.readonly", role: "member" },
  query: conversationListQuery,
  gives: conversationListView,
  read: async (reader, { query }) => await lists.listConversations(reader, query),
});

export const startConversation = operation({
  name: "startConversation",
  summary: "Starts a conversation with a contact on a channel, or continues the one that is not closed.",
  noun: "Conversations",
  may: { scope: "conversations.write", role: "member" },
  input: startInput,
  gives: startedView,
  givesSignedUrls: true,
  change: async (change, { input }) => {
    const { isNew, conversation, message } = await service.startConversation(change, input);
    return new Outcome({ conversation, message }, { isNew, isUnchanged: !isNew && message === null });
  },
});

export const getConversation = operation({
  name: "getConversation",
  summary: "Returns a conversation with its last hundred messages, oldest first.",
  noun: "Conversations",
  may: { scope: "conversations.readonly", role: "member" },
  find: { conversation: findConversation },
  record: conversationRecord,
  gives: openedView,
  givesSignedUrls: true,
  read: async (reader, { conversation }) => ({
    conversation,
    messages: await messages.readLastMessages(reader, conversation.id),
  }),
});

export const updateConversation = operation({
  name: "updateConversation",
  summary: "Opens, snoozes, closes or assigns a conversation, marks it as read, or sets its contact.",
  noun: "Conversations",
  may: { scope: "conversations.write", role: "member" },
  find: { conversation: findConversation },
  input: conversationPatch,
  record: conversationRecord,
  gives: conversationView,
  change: async (change, { conversation, input }) => await service.updateConversation(change, conversation.id, input),
});

export const deleteConversation = operation({
  name: "deleteConversation",
  summary: "Deletes a conversation with its messages. Queued messages are canceled.",
  noun: "Conversations",
  may: { scope: "conversations.write", role: "member" },
  find: { conversation: findConversation },
  input: z.object({}),
  record: conversationRecord,
  gives: null,
  steps: async (caller, { conversation }, { progress }) =>
    await removal.deleteConversation(caller, conversation.id, progress),
});

export const listMessages = operation({
  name: "listMessages",
  summary: "Lists the messages of a conversation in full, newest first.",
  noun: "Conversations",
  may: { scope: "conversations.readonly", role: "member" },
  find: { conversation: findConversation },
  query: pageQuery,
  gives: messageListView,
  givesSignedUrls: true,
  read: async (reader, { conversation, query }) => await messages.listMessages(reader, conversation.id, query),
});

export const sendMessage = operation({
  name: "sendMessage",
  summary: "Sends a message in a conversation, or adds an internal note.",
  noun: "Conversations",
  may: { scope: "conversations.write", role: "member" },
  find: { conversation: lockedByChange(findConversation) },
  input: messageInput,
  gives: messageView,
  givesSignedUrls: true,
  before: async (_reader, { input }, { mails }) =>
    typeof input.html === "string" ? (await mails.readHtml(input.html, "sent")).html : null,
  change: async (change, { conversation, input, before: html }) =>
    await messageService.sendMessage(change, conversation.id, { ...input, html }),
});

export const retryMessage = operation({
  name: "retryMessage",
  summary: "Sends a failed message again, after the messages of its conversation that still wait.",
  noun: "Conversations",
  may: { scope: "conversations.write", role: "member" },
  find: { conversation: lockedByChange(findConversation), message: messages.findMessage },
  gives: messageView,
  givesSignedUrls: true,
  change: async (change, { conversation, message }) => await retry(change, conversation.id, message),
});

export const cancelMessage = operation({
  name: "cancelMessage",
  summary: "Cancels a queued message: it fails, and the next message of its conversation follows.",
  noun: "Conversations",
  may: { scope: "conversations.write", role: "member" },
  find: { conversation: lockedByChange(findConversation), message: messages.findMessage },
  gives: messageView,
  givesSignedUrls: true,
  change: async (change, { conversation, message }) => await cancel(change, conversation.id, message),
});
