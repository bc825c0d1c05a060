/** The documentation of filters: syntax, fields, and the operators of each. */
import { limits } from "../../../vocabulary/limits.ts";
import { filterKinds } from "./contact.filter-fields.ts";
import type { Kind } from "./contact.filter-fields.ts";
import { operators } from "./contact.filters.ts";

const names: Readonly<Record<Kind, string>> = {
  id: "Ids",
  text: "Text",
  number: "Whole numbers",
  timestamp: "Timestamps (ISO 8601 with an offset or `Z`)",
  boolean: "`true` or `false`",
  tag: "The name of a tag, or its id",
};

/** In Markdown. */
export function describeFilters(): string {
  const fields = Map.groupBy(Object.entries(filterKinds), ([, kind]) => kind);
  const lines = [...fields].map(([kind, members]) => {
    const listed = members.map(([field]) => `\`${field}\``).join(", ");
    return `- ${names[kind]}: ${listed}, by ${operators[kind].map((operator) => `\`${operator}\``).join(" ")}.`;
  });
  return `URL-encoded JSON: a list of at most ${limits.filterConditions} conditions \`{"field", "op", "value"}\`, combined with AND.
\`{"any": [ … ]}\` in place of a condition combines its conditions with OR. A plain object such as \`{"city": "Boston"}\` tests for equality.

${lines.join("\n")}

\`in\` and \`nin\` take a list of values, \`is_null\` takes \`true\` or \`false\`.`;
}
