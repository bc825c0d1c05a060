/** Tokens of links: only this service issues them, each for one purpose, and they survive a rotation of the keys. */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSignedIds } from "../../src/kit/secrets/signed-id.ts";

const [old, newer] = [randomBytes(32), randomBytes(32)];
const token = createSignedIds([old]).sign("unsubscribe", 4711);
const signedBy = (key: Buffer) => createSignedIds([key]).sign("unsubscribe", 4711);

test.each<[what: string, keys: Buffer[], purpose: string, token: string, id: number | undefined]>([
  ["its own token", [old], "unsubscribe", token, 4711],
  ["a token from before a rotation", [newer, old], "unsubscribe", token, 4711],
  ["a token of a key that was dropped", [newer], "unsubscribe", token, undefined],
  ["a token of another purpose", [old], "attachment", token, undefined],
  ["a token of another service", [old], "unsubscribe", signedBy(randomBytes(32)), undefined],
  ["another id", [old], "unsubscribe", token.replace("4711", "4712"), undefined],
  ["another spelling of the id", [old], "unsubscribe", `0${token}`, undefined],
  ["a longer signature", [old], "unsubscribe", `${token}A`, undefined],
  ["a character that base64url lacks", [old], "unsubscribe", token.replace(/.$/, "="), undefined],
  ["nothing", [old], "unsubscribe", "", undefined],
])("%s", (_what, keys, purpose, given, id) => {
  expect(createSignedIds(keys).verify(purpose, given)).toBe(id);
});

test("the newest key signs", () => {
  expect(createSignedIds([newer, old]).sign("unsubscribe", 4711)).toBe(signedBy(newer));
});
