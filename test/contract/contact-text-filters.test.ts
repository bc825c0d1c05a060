/** Text filters over twenty scripts select the same contacts on both databases as plain code does. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getRecordRow } from "../../src/crm/contacts/contact.queries.ts";
import { addContactTag } from "../../src/crm/contacts/contact-tags.service.ts";
import { getContact } from "../../src/crm/contacts/contact.queries.ts";
import { createContact } from "../../src/crm/contacts/contact.service.ts";
import type { ContactView } from "../../src/crm/contacts/contact.view.ts";
import { usualBounds } from "../../src/crm/contacts/list/contact.list-slices.ts";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import { createTag } from "../../src/crm/tags/tag.service.ts";
import { followedContacts } from "../../src/crm/contact-texts.follower.ts";
import { followTexts } from "../../src/crm/text-index/text-index.follower.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { stampPositions } from "../../src/events/positions.ts";
import { fold, foldEmail } from "../../src/kit/text.ts";
import { runsOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** Two words of each script, with capitals, ligatures, compatibility characters and combining accents where it has them. */
const words = [
  ["Łódź", "STRASSE Straße"],
  ["İstanbul", "ılık IRMAK"],
  ["Ὀδυσσεύς", "ΟΔΟΣ ΑΘΗΝΑΣ ΚΟΣΜΟΣ"],
  ["Щёлково", "ЇЖАК й"],
  ["Երևան", "ԳՅՈՒՄՐԻ"],
  ["თბილისი", "ᲗᲑᲘᲚᲘᲡᲘ"],
  ["שָׁלוֹם", "ירושלים שּׁ"],
  ["القاهرة", "ﷺ ﻻﻼ"],
  ["हिन्दी क़", "ज़मीन"],
  ["বাংলা", "ঢাকা ড়"],
  ["தமிழ்", "கொ சென்னை"],
  ["กรุงเทพ", "น้ำ"],
  ["ភ្នំពេញ", "ខ្មែរ"],
  ["서울 한국", "부산"],
  ["ひらがな ガギ", "ｶﾞｷﾞ カタ"],
  ["東京 大阪", "﨑 神 寿"],
  ["ᏣᎳᎩ", "ꭶꮳꮃ"],
  ["𐐔𐐯𐑅𐐨𐑉𐐯𐐻", "𐐼𐐯𐑅"],
  ["𞤀𞤁𞤂𞤃", "𞤢𞤣𞤤"],
  ["ＦＵＬＬ ｗｉｄｔｈ", "ﬁne ﬀ Ⅷ ①"],
  ["𝔐ath 𝒮", "👍🏽 emoji 👩‍👩‍👧"],
  ["Ada Lovelace", "o'hara 50%_*"],
].flat();

const forms = ["NFC", "NFD", "NFKC", "NFKD"] as const;
const cases = [
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.toLowerCase(),
  (text: string) => text.replaceAll(" ", "   "),
];

/** An equivalent spelling of `text`. */
const spelled = (text: string, step: number): string =>
  cases[step % cases.length]!(text).normalize(forms[Math.floor(step / cases.length) % forms.length]!);

/** Truncated to the maximum length of the field. */
const cut = (text: string, most: number): string => [...text].slice(0, most).join("").trim();

const textFields = [
  "first_name",
  "last_name",
  "company",
  "source",
  "interest",
  "address1",
  "city",
  "external_ref",
] as const;
const shortFields = ["state", "zip", "phone_display"] as const;
const fields = [...textFields, ...shortFields, "email", "name"] as const;
type TextField = (typeof fields)[number];

/** The value of contact `n` in field number `place`; every seventh has the maximum length. */
function valueOf(n: number, place: number): string | null {
  const step = n * 31 + place * 17;
  if (step % 11 === 0) return null;
  const word = words[step % words.length]!;
  const value = spelled(`${word} ${words[(step * 7 + 3) % words.length]!}`, step);
  return cut(step % 7 === 0 ? `${value} `.repeat(60) : value, 255);
}

const tagNames = words
  .slice(0, 12)
  .map((word, n) => (n % 3 === 0 ? cut(`${n} ${word} `.repeat(100), 255) : `${word} ${n}`));
const people = 90;

async function fill(world: World): Promise<{ caller: Caller<LocationContext>; contacts: ContactView[] }> {
  const caller = await world.service.inLocation(world.acme, world.north);
  const tags: number[] = [];
  for (const name of tagNames) tags.push((await caller.change((change) => createTag(change, { name }))).id);
  const contacts: ContactView[] = [];
  for (let n = 0; n < people; n++) {
    const given = Object.fromEntries(textFields.map((field, place) => [field, valueOf(n, place)]));
    const word = words[(n * 5) % words.length]!;
    const { id } = await caller.change((change) =>
      createContact(change, {
        ...given,
        first_name: given["first_name"] ?? "",
        last_name: given["last_name"] ?? "",
        external_ref: `${n} ${cut(given["external_ref"] ?? "", 250)}`.trim(),
        email: n % 4 === 0 ? null : `${["Ada", "STRASSE", "Straße", "ΟΔΟΣ", "οδος", "Ёж", "Ёж"][n % 7]}.${n}@x.example`,
        state: n % 3 === 0 ? null : cut(word, 2),
        zip: n % 5 === 0 ? null : cut(word, 10),
        phone: n % 2 === 0 ? cut(`ask ${word}`, 32) : null,
      }),
    );
    const tagId = tags[n % (tags.length + 4)];
    if (tagId !== undefined)
      await caller.change((change) => addContactTag(change, id, { tag_id: tagId, name: null }, getRecordRow));
    contacts.push(await getContact(caller, id));
  }
  return { caller, contacts };
}

interface Condition {
  readonly field: TextField | "tag";
  readonly op: string;
  readonly value: unknown;
}

/** The expected result: a comparison of folded texts. */
function holds(contact: ContactView, { field, op, value }: Condition): boolean {
  const folding = field === "email" ? foldEmail : fold;
  const stored = field === "tag" ? contact.tags.map(({ name }) => name) : [contact[field]];
  const texts = stored.filter((text) => text !== null && text !== "").map((text) => folding(text!));
  const sought = (Array.isArray(value) ? value : [value]).map((one) => (typeof one === "string" ? folding(one) : one));
  switch (op) {
    case "is_null":
      return (texts.length === 0) === value;
    case "eq":
    case "in":
      return texts.some((text) => sought.includes(text));
    case "neq":
    case "nin":
      return !texts.some((text) => sought.includes(text));
    case "contains":
      return texts.some((text) => text.includes(sought[0]));
    default:
      return texts.some((text) => text.startsWith(sought[0]));
  }
}

const filled: { kind: string; caller: Caller<LocationContext>; contacts: ContactView[] }[] = [];

beforeAll(async () => {
  for (const kind of databaseKinds) {
    const world = await createWorld(kind);
    worlds.push(world);
    filled.push({ kind, ...(await fill(world)) });
    while ((await stampPositions(world.service.database)) > 0);
    for (const texts of followedContacts) while (await followTexts(world.service.database, texts));
  }
});
const worlds: World[] = [];
afterAll(async () => {
  for (const world of worlds) await world.close();
});

/** A substring of a stored value, in an equivalent spelling; sometimes of another value. */
function needles(): fc.Arbitrary<{ whole: Condition; part: Condition }> {
  return fc
    .record({
      field: fc.constantFrom<TextField | "tag">(...fields, "tag"),
      other: fc.constantFrom<TextField>(...textFields),
      elsewhere: fc.nat(9),
      n: fc.nat(people - 1),
      step: fc.nat(15),
      from: fc.nat(300),
      length: fc.integer({ min: 1, max: 200 }),
      op: fc.constantFrom("eq", "neq", "in", "nin"),
      partOp: fc.constantFrom("contains", "contains", "starts_with"),
    })
    .map(({ field, other, elsewhere, n, step, from, length, op, partOp }) => {
      const contact = filled[0]!.contacts[n]!;
      const source = elsewhere === 0 ? other : field;
      const text = (source === "tag" ? contact.tags[0]?.name : contact[source]) || words[n % words.length]!;
      const characters = [...text];
      const start = partOp === "starts_with" ? 0 : from % characters.length;
      const piece =
        characters
          .slice(start, start + length)
          .join("")
          .trim() || "a";
      // Equality compares phone numbers, substring search compares texts.
      const wholeField = field === "phone_display" ? "zip" : field;
      const value = op.endsWith("in") ? [spelled(text, step), "nothing"] : spelled(text, step);
      return {
        whole: { field: wholeField, op, value },
        part: { field, op: partOp, value: spelled(piece, step).trim() || "a" },
      };
    });
}

const condition = fc.oneof(
  { arbitrary: needles().map(({ part }) => part), weight: 5 },
  { arbitrary: needles().map(({ whole }) => whole), weight: 3 },
  fc.record({
    field: fc.constantFrom<TextField | "tag">(...fields, "tag"),
    op: fc.constant("is_null"),
    value: fc.boolean(),
  }),
);
const filters = fc.array(fc.oneof(condition, fc.record({ any: fc.array(condition, { minLength: 1, maxLength: 3 }) })), {
  minLength: 1,
  maxLength: 2,
});

/** Read at once, or by the text index and in slices of sixteen contacts. */
const howRead = fc.constantFrom(usualBounds, { atOnce: 0, piece: 1 });

const runs = runsOf("filters of texts", 120, 4000);

test("filters select what plain code selects, on both databases", { timeout: 240_000 }, async () => {
  let picked = 0;
  await fc.assert(
    fc.asyncProperty(filters, howRead, async (given, bounds) => {
      const found = await Promise.all(
        filled.map(async ({ caller }) => {
          const { data } = await listContacts(caller, { filters: JSON.stringify(given) }, bounds);
          return data.map(({ id }) => id).toSorted((a, b) => a - b);
        }),
      );
      const expected = filled.map(({ contacts }) =>
        contacts
          .filter((contact) =>
            given.every((element) =>
              "any" in element ? element.any.some((one) => holds(contact, one)) : holds(contact, element),
            ),
          )
          .map(({ id }) => id),
      );
      expect(found).toEqual(expected);
      if (expected[0]!.length > 0 && expected[0]!.length < people) picked += 1;
    }),
    runs,
  );
  // Guards against filters that select everything or nothing.
  expect(picked).toBeGreaterThan(runs.numRuns / 3);
});
