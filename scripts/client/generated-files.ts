/** The generated files of `crm-client`: types of the API's records and inputs, a method per operation, and the events. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { format } from "oxfmt";
import formatting from "../../.oxfmtrc.json" with { type: "json" };
import { describeMethods } from "./described-methods.ts";
import type { MethodDescription } from "./described-methods.ts";
import { currentDocument, queryAsSchema, reduceDocument } from "./reduced-document.ts";
import type { ApiDocument, Schema } from "./reduced-document.ts";

export interface GeneratedFile {
  /** Below the root of the repository. */
  readonly path: string;
  readonly expect: () => Promise<string>;
}

const folder = "client/src/generated";
const mark = "/** @generated from the OpenAPI document by `npm run docs`; changes here are lost. */";

/** They share one reading of the document. */
export function clientFiles(): GeneratedFile[] {
  let read: { document: ApiDocument; methods: readonly MethodDescription[] } | undefined;
  const contents = () => {
    if (read === undefined) {
      const document = currentDocument();
      read = { document, methods: describeMethods(document) };
    }
    return read;
  };
  const file = (name: string, write: (read: ReturnType<typeof contents>) => string): GeneratedFile => ({
    path: `${folder}/${name}`,
    expect: async () => {
      const { $schema: _schema, ignorePatterns: _ignored, ...style } = formatting;
      return (await format(name, `${mark}\n${write(contents())}`, style)).code;
    },
  });
  return [
    file("schemas.ts", ({ document, methods }) => writeSchemas(document, methods)),
    file("methods.ts", ({ methods }) => writeMethods(methods)),
    file("operations.ts", ({ methods }) => writeOperations(methods)),
    file("events.ts", ({ document }) => writeEvents(document)),
  ];
}

function writeSchemas(document: ApiDocument, methods: readonly MethodDescription[]): string {
  const roots: Record<string, Schema> = {};
  const keep = (name: string) => (roots[name] = document.components["schemas"]![name]!);
  for (const { input, answers, operation } of methods) {
    if (input?.from === "query") roots[input.type] = queryAsSchema(operation.parameters);
    else if (input !== undefined) keep(input.type);
    answers.forEach(keep);
  }
  for (const [, type] of eventTypes(document)) keep(type);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "print-types.ts"), "--components"],
    { input: JSON.stringify(reduceDocument(document, roots)), encoding: "utf8", maxBuffer: 1 << 26 },
  );
  if (status !== 0) throw new Error(`openapi-typescript failed: ${stderr}`);
  return stdout;
}

/** An interface per group, and `Crm` with all of them. */
function writeMethods(methods: readonly MethodDescription[]): string {
  const groups = Map.groupBy(methods, ({ group }) => group);
  const interfaces = [...groups].map(
    ([group, members]) => `export interface ${interfaceOf(group)} {\n${members.map(writeMethod).join("\n")}\n}`,
  );
  return [
    'import type { FileContent, Id, RequestOptions } from "../request-options.ts";',
    `import type * as api from "./schemas.ts";`,
    "",
    ...interfaces,
    "/** A method for each operation of the API, by noun. */",
    `export interface Crm {\n${[...groups.keys()].map((group) => `readonly ${group}: ${interfaceOf(group)};`).join("\n")}\n}`,
    "",
  ].join("\n");
}

function interfaceOf(group: string): string {
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}Methods`;
}

/** Whether some success has no body. */
function mayLackBody({ responses }: MethodDescription["operation"]): boolean {
  return Object.entries(responses).some(([status, { content }]) => status.startsWith("2") && content === undefined);
}

/** Whether the body of a success is a file. */
function isFile({ responses }: MethodDescription["operation"]): boolean {
  return Object.entries(responses).some(
    ([status, { content }]) => status.startsWith("2") && content !== undefined && !("application/json" in content),
  );
}

function writeMethod({ method, operation, path, parameters, input, sendsFile, answers, item, all }: MethodDescription) {
  const { summary, description } = operation;
  const given = [
    ...parameters.map((name) => `${name}: Id`),
    ...(sendsFile ? ["file: FileContent"] : []),
    ...(input === undefined ? ["input?: undefined"] : [`input${input.isRequired ? "" : "?"}: api.${input.type}`]),
  ];
  // Not JSON: the response itself, whose body is not read.
  const files = isFile(operation) ? ["Response"] : [];
  const types = [...answers.map((type) => `api.${type}`), ...files, ...(mayLackBody(operation) ? ["undefined"] : [])];
  const answer = answers.length + files.length === 0 ? "void" : types.join(" | ");
  const documentation = [summary, ...(description === undefined ? [] : [description])]
    .flatMap((text) => text.split("\n"))
    .map((line) => ` * ${line.replaceAll("*/", "*\\/")}`.trimEnd());
  return [
    `/**\n${documentation.join("\n")}\n *\n * \`${path}\`\n */`,
    `${method}(${[...given, "options?: RequestOptions"].join(", ")}): Promise<${answer}>;`,
    ...(item === undefined || all === undefined
      ? []
      : [
          `/** The same, page after page. */`,
          `${all}(${[...given, "options?: RequestOptions"].join(", ")}): AsyncIterableIterator<api.${item}>;`,
        ]),
  ].join("\n");
}

/** What the client needs to know of each operation while it runs. */
function writeOperations(methods: readonly MethodDescription[]): string {
  const groups = Map.groupBy(methods, ({ group }) => group);
  const table = [...groups].map(([group, members]) => {
    const rows = members.map(({ method, runtime }) => `${method}: ${JSON.stringify(runtime)}`);
    return `${group}: {\n${rows.join(",\n")},\n}`;
  });
  return [
    'import type { OperationTable } from "../operation-table.ts";',
    "",
    `export const operations: OperationTable = {\n${table.join(",\n")},\n};`,
    "",
  ].join("\n");
}

function writeEvents(document: ApiDocument): string {
  const types = eventTypes(document);
  return [
    `import type { ${types
      .map(([, type]) => type)
      .toSorted()
      .join(", ")} } from "./schemas.ts";`,
    "",
    "/** The body of a webhook, by the name of its event. */",
    `export interface EventsByName {\n${types.map(([event, type]) => `${JSON.stringify(event)}: ${type};`).join("\n")}\n}`,
    "",
  ].join("\n");
}

/** Event name → name of the schema of its body. */
function eventTypes({ webhooks }: ApiDocument): [event: string, type: string][] {
  return Object.entries(webhooks).map(([event, { post }]) => {
    const reference = post.requestBody?.content["application/json"]?.schema.$ref ?? "";
    return [event, reference.split("/").at(-1)!];
  });
}
