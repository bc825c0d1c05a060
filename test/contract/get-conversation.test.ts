/** GET /conversations/{id} */
import { expect } from "vitest";
import { limits } from "../../src/vocabulary/limits.ts";
import { contract, row } from "../support/contract.ts";
import { givenChannel, givenContact, givenTexts, handIn, made } from "../support/given.ts";

const longest = "😀".repeat(limits.messageBody);

contract("getConversation", [
  row({
    name: "returns the last hundred messages, oldest first",
    given: (world) =>
      givenTexts(
        world,
        Array.from({ length: 103 }, (_, place) => `Text ${place}`),
      ),
    send: (world, { id }) => ["GET", `/conversations/${id}?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(_world, { id, sent }, body) {
      expect(body.messages).toEqual(sent.slice(-100));
      expect(body.conversation).toMatchObject({ id, preview: "Text 102" });
    },
  }),
  row({
    name: "one without a message has none",
    given: (world) => givenTexts(world, []),
    send: (world, { id }) => ["GET", `/conversations/${id}?location_id=${world.north}`],
    expect: { status: 200, body: { messages: [], conversation: { last_message_at: null, preview: null } } },
  }),
  row({
    name: "returns the newest of many long messages in full and truncates the others",
    given: (world) => givenTexts(world, ["First", ...Array.from({ length: 6 }, () => longest)]),
    send: (world, { id }) => ["GET", `/conversations/${id}?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(_world, _given, body) {
      // Four messages of maximum length fit in full. Short ones are not truncated.
      expect(body.messages.map((message: { truncated?: true }) => message.truncated)).toEqual([
        undefined,
        true,
        true,
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      expect(body.messages[0].body).toBe("First");
      expect(body.messages[1].body).toBe("😀".repeat(limits.shownMessageBody));
      expect(body.messages[3].body).toBe(longest);
    },
  }),
  row({
    name: "returns medium-sized texts in full",
    given: (world) =>
      givenTexts(
        world,
        [32_767, 32_768, 32_769, 65_536].map((bytes) => "x".repeat(bytes)),
      ),
    send: (world, { id }) => ["GET", `/conversations/${id}?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(_world, { sent }, body) {
      expect(body.messages).toEqual(sent);
    },
  }),
  row({
    name: "returns the newest of many short messages in full and truncates the others",
    given: (world) => givenTexts(world, Array(34).fill("x".repeat(32_768))),
    send: (world, { id }) => ["GET", `/conversations/${id}?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(_world, _given, body) {
      const lengths = body.messages.map((message: { body: string }) => message.body.length);
      expect(lengths).toEqual([...Array(2).fill(limits.shownMessageBody), ...Array(32).fill(32_768)]);
    },
  }),
  row({
    name: "returns one message with texts of maximum length in full",
    async given(world) {
      const { email } = await givenContact(world);
      const channel = await givenChannel(world);
      const input = { from: email, body: longest, html: "ä".repeat(limits.messageHtml) };
      return made(handIn(world, channel, input));
    },
    send: (world, { conversation_id }) => ["GET", `/conversations/${conversation_id}?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(_world, _given, body) {
      const [message] = body.messages;
      expect([message.body.length, message.html.length]).toEqual([longest.length, limits.messageHtml]);
      expect(message).not.toHaveProperty("truncated");
    },
  }),
]);
