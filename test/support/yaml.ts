/** Parses YAML with the parser that a development tool brings along. */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const ofValidator = createRequire(fileURLToPath(import.meta.resolve("@seriousme/openapi-schema-validator")));
const { parse } = ofValidator("yaml") as { parse: (text: string) => unknown };

export function parseYaml(text: string): unknown {
  return parse(text);
}
