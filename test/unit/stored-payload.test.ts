/** Payloads of events are stored in fewer bytes, and read back character for character; so are those of older rows, and whatever a client sends. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventShapes } from "../../src/crm/event-log/event-shapes.ts";
import { phrases } from "../../src/events/payloads/phrases.ts";
import { packPayload, unpackPayload } from "../../src/events/payloads/stored-payload.ts";
import type { StoredPayload } from "../../src/events/payloads/stored-payload.ts";
import { runsOf } from "../support/chance.ts";

const asStored = (text: string): StoredPayload => text as unknown as StoredPayload;
const packed = (json: string): StoredPayload => asStored(packPayload(json));

const all = [...phrases.ofContacts, ...phrases.others];
/** Texts in which phrases begin, end and overlap. */
const piece = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(...all),
  fc.constantFrom("\u0000", "\u0001", "\u001f!", '"', "\\"),
);
const value = fc.oneof(
  fc.array(piece).map((pieces) => pieces.join("")),
  fc.jsonValue(),
);

describe("a stored payload", () => {
  test("reads as it was written, whatever it consists of", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(piece, fc.constantFrom("id", "name", "owner")), value), (data) => {
        const json = JSON.stringify(data);
        expect(unpackPayload(packed(json))).toBe(json);
      }),
      runsOf("stored payloads", 300, 3000),
    );
  });

  test.each(eventShapes.map(({ event, specimen }) => [event, JSON.stringify(specimen)] as const))(
    "of %s is shorter, and the same again",
    (_, json) => {
      expect(packPayload(json).length).toBeLessThan(json.length);
      expect(unpackPayload(packed(json))).toBe(json);
      // As it is in rows that were written before.
      expect(unpackPayload(asStored(json))).toBe(json);
    },
  );

  test("a long one is stored as it is", () => {
    const json = JSON.stringify(Array.from({ length: 400 }, () => ({ id: 1, owner: null })));
    expect(packPayload(json)).toBe(json);
  });

  test("phrases are never changed, moved or removed, since rows refer to them", () => {
    const kept = { ofContacts: phrases.ofContacts.slice(0, 25), others: phrases.others.slice(0, 91) };
    expect(createHash("sha256").update(JSON.stringify(kept)).digest("hex")).toBe(
      "8377d59728f0e7d04141d87a9aa8caa3a525432f08c554894c9fc5b96646780b",
    );
    // The codes: U+0001 to U+001E, and two characters of which the second is printable ASCII.
    expect(phrases.ofContacts.length).toBeLessThanOrEqual(30);
    expect(phrases.others.length).toBeLessThanOrEqual(94);
    expect(new Set(all).size).toBe(all.length);
  });
});
