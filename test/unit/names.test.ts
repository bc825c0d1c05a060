/** Every name that a person gives to something follows one rule, wherever a schema takes one. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sentencesOf } from "../../src/kit/input/fields.ts";
import { workflowNodes } from "../../src/crm/workflows/nodes/all.ts";

const root = join(import.meta.dirname, "../..");

/** Named by their wording alone: what is sold. It stands in no sentence of ours. And files, whose names are cleaned instead. */
const otherTexts = [
  "attachment.schema.ts uploadInput.name",
  "inbound.schema.ts inboundInput.attachments.name",
  "opportunity.schema.ts opportunityInput.name",
  "opportunity.schema.ts opportunityPatch.name",
];

const refused = {
  "an override": "Ledger\u202Eenilreg",
  "an embedding": "a\u202Ab",
  "an isolate": "a\u2066b",
  "the end of an isolate": "a\u2069b",
  "a line feed": "two\nlines",
  "a line separator": "two\u2028lines",
  "an escape sequence": "\u001B[2Jcls",
  "a C1 control character": "a\u0085b",
};

const accepted = ["Søstrene Grene & Co.", "متجر الزهور", "שלום", "👩‍👩‍👧‍👦 Family", "x".repeat(255), "یک‌شنبه", "<b>&amp;"];

interface Taken {
  readonly path: string;
  readonly schema: z.ZodType;
}

/** Every member called `name` of a schema, however deep it lies. */
function* namesIn(schema: z.core.$ZodType, path: string): Generator<Taken> {
  const inner = (schema as z.ZodType).def as unknown as Readonly<Record<string, unknown>>;
  if (inner["type"] === "object") {
    for (const [key, member] of Object.entries(inner["shape"] as Record<string, z.ZodType>)) {
      if (key === "name") yield { path: `${path}.name`, schema: member };
      yield* namesIn(member, `${path}.${key}`);
    }
  }
  for (const side of ["in", "out", "innerType", "element"]) {
    if (inner[side] !== undefined) yield* namesIn(inner[side] as z.core.$ZodType, path);
  }
  for (const option of (inner["options"] ?? []) as z.core.$ZodType[]) yield* namesIn(option, path);
}

const taken: Taken[] = [];
for (const file of globSync("src/**/*.schema.ts", { cwd: root }).toSorted()) {
  const exported = (await import(join(root, file))) as Record<string, unknown>;
  for (const [called, schema] of Object.entries(exported)) {
    const path = `${file.slice(file.lastIndexOf("/") + 1)} ${called}`;
    if (schema instanceof z.ZodType) taken.push(...namesIn(schema, path));
  }
}
const names = taken.filter(({ path }) => !otherTexts.includes(path));

test("the schemas of all that is named are found", () => {
  const nouns = [
    "app",
    "workspace",
    "location",
    "user",
    "api-key",
    "channel",
    "tag",
    "pipeline",
    "workflow",
    "contact",
  ];
  const found = new Set(names.map(({ path }) => path.split(".")[0]));
  expect(nouns.filter((noun) => !found.has(noun))).toEqual([]);
  expect(names.map(({ path }) => path)).toContain("pipeline.schema.ts pipelineInput.stages.name");
  expect(taken.length - names.length).toBe(otherTexts.length);
});

describe.each(names)("$path", ({ schema }) => {
  test.each(Object.entries(refused))("refuses %s", (_what, name) => {
    const { error } = z.object({ name: schema }).safeParse({ name });
    expect(error && sentencesOf(error)).toEqual({
      name: ["The name field must not contain control characters or marks that change the direction of text."],
    });
  });

  test("takes names of every script as they are", () => {
    expect(accepted.map((name) => schema.safeParse(name).data)).toEqual(accepted);
  });
});

test.each(["add_tag", "remove_tag"])("a node of a workflow names tags by the same rule: %s", (type) => {
  const { schema } = workflowNodes.find(type)!;
  const isTaken = (tag: string) => schema.safeParse({ type, tag }).success;
  expect(Object.values(refused).filter(isTaken)).toEqual([]);
  expect(accepted.filter((tag) => !isTaken(tag))).toEqual([]);
});
