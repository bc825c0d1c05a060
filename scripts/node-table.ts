/** The table of node types in docs/workflows.md, as the types themselves say it. */
import { z } from "zod";
import { formsOf } from "../src/crm/workflows/definition/node-types.ts";
import type { NodeTypes } from "../src/crm/workflows/definition/node-types.ts";

/** A row for each form of each type. */
export function nodeTable({ all }: NodeTypes): string[] {
  return all.flatMap((type) =>
    formsOf(type).map((form, place) => {
      const about = typeof type.about === "string" ? type.about : type.about[place];
      return `| \`${type.type}\` | ${fieldsIn(form)} | ${about} |`;
    }),
  );
}

/** Without `type` and `next`, which every node has; those that may be left out have a question mark. */
function fieldsIn(form: z.ZodType): string {
  const { type: _type, next: _next, ...fields } = form instanceof z.ZodObject ? form.shape : {};
  return Object.entries(fields as Record<string, z.ZodType>)
    .map(([name, field]) => {
      if (field instanceof z.ZodLiteral) return `\`${name}: ${field.value}\``;
      return `\`${name}${field.safeParse(undefined).success ? "?" : ""}\``;
    })
    .join(", ");
}
