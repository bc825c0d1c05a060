/** `npm run docs`: writes the generated documents, and the generated parts of handwritten ones. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { channelTransports } from "../src/crm/channels/transports/all.ts";
import { definitionJsonSchema } from "../src/crm/workflows/definition/json-schema.ts";
import { workflowNodes } from "../src/crm/workflows/nodes/all.ts";
import { clientFiles } from "./client/generated-files.ts";
import { describeReference } from "./command-reference.ts";
import { nodeTable } from "./node-table.ts";
import { transportTable } from "./transport-table.ts";

interface GeneratedDocument {
  /** Below the root of the repository. */
  readonly path: string;
  /** The whole text; `actual` is the current one, of which a generator may replace a part. */
  readonly expect: (actual: string) => string | Promise<string>;
}

export const generatedDocuments: readonly GeneratedDocument[] = [
  {
    path: "docs/cli.md",
    expect: async (actual) =>
      replacePart(
        actual,
        /(?<=<!-- commands: begin -->\n\n)[^]*(?=\n\n<!-- commands: end -->)/,
        await describeReference(),
      ),
  },
  {
    path: "docs/workflow.schema.json",
    expect: (actual) => {
      const schema = JSON.stringify(definitionJsonSchema(), null, 2);
      // The formatter breaks lines in its own way.
      return isDeepStrictEqual(JSON.parse(actual), JSON.parse(schema)) ? actual : `${schema}\n`;
    },
  },
  {
    path: "docs/workflows.md",
    expect: (actual) => replacePart(actual, rowsBelow("| type | fields | does |"), nodeTable(workflowNodes).join("\n")),
  },
  {
    path: "docs/channels.md",
    expect: (actual) =>
      replacePart(actual, rowsBelow("| transport | for | sends to |"), transportTable(channelTransports).join("\n")),
  },
  ...clientFiles(),
];

export function pathOf({ path }: GeneratedDocument): string {
  return join(import.meta.dirname, "..", path);
}

/** Matches the rows of the Markdown table with this head. */
function rowsBelow(head: string): RegExp {
  return new RegExp(`(?<=${RegExp.escape(head)}\\n\\|[-|]+\\|\\n)[^]*?(?=\\n\\n)`);
}

function replacePart(text: string, part: RegExp, replacement: string): string {
  if (!part.test(text)) throw new Error(`A generated part is missing: ${part.source}`);
  return text.replace(part, () => replacement);
}

if (import.meta.main) {
  for (const document of generatedDocuments) {
    const path = pathOf(document);
    writeFileSync(path, await document.expect(existsSync(path) ? readFileSync(path, "utf8") : ""));
  }
}
