/** The largest responses that the limits allow, in bytes: raising a limit fails here and shows its cost. */
import { expect, test } from "vitest";
import { largestAnswers } from "../support/largest-answers.ts";

const megabyte = 1 << 20;

test.each([
  ["a full contact", largestAnswers.contact, 9],
  ["a page of conversations", largestAnswers.conversations, 2.5],
  ["a conversation", largestAnswers.conversation, 8],
  ["a page of messages", largestAnswers.messages, 9],
  ["a page of contacts", largestAnswers.contacts, 6],
  ["a page of notes", largestAnswers.notes, 2],
])("%s of %i bytes is at most what a client is told", (_name, bytes, megabytes) => {
  expect(bytes / megabyte).toBeLessThan(megabytes);
  // Not far below, or the figure would tell nothing.
  expect(bytes / megabyte).toBeGreaterThan(megabytes * 0.8);
});
