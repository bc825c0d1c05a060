/** Filters in words, for the documents: what they look like, which fields there are, and by what each can be asked for. */
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
  return `URL-encoded JSON: a list of \`{"field", "op", "value"}\` that must all hold, at most ${limits.filterConditions} of them.
\`{"any": [ … ]}\` in its place holds when one of its conditions does. A plain object such as \`{"city": "Boston"}\` asks for equality.

${lines.join("\n")}

\`in\` and \`nin\` take a list of values, \`is_null\` takes \`true\` or \`false\`.`;
}
