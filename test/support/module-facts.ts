/** What one TypeScript file says about itself: whom it imports, whose tables it names, and whether it reads the environment or the time. */
import { parseSync, Visitor } from "vite";

export type ModuleFacts = {
  /** Every specifier: import, import type, export … from, import("…"), as an expression or as a type. */
  imports: string[];
  /** Those of them that an import statement takes more than types from. */
  valueImports: string[];
  /** The source of each read of process.env. */
  environmentReads: string[];
  /** The source of each `new Date()`, `Date()` and `Date.now()`: reads of the system clock. */
  clockReads: string[];
  /** Every name that stands where SQL names a table: after `from`, `join`, `into` or `update`, and what an insert or an update is defined for. */
  tables: string[];
  /** Every identifier, and every text but those that name a module, that says the name of a database. */
  dialectNames: string[];
};

/** As a word of a text, and as a part of an identifier. */
const dialectWord = /\b(?:sqlite|postgres|postgresql)\b/i;
const dialectPart = /sqlite|postgres/i;

const tableForm = /\b(?:from|join|into|update)\s+"?([a-z_]+)"?/gi;

/** Parses `source`; refuses what is not TypeScript, naming the file. */
export function readModuleFacts(path: string, source: string): ModuleFacts {
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new SyntaxError(`${path} cannot be parsed: ${errors[0].message}`);

  const imports = new Set<string>();
  const valueImports = new Set<string>();
  const environmentReads: string[] = [];
  const clockReads: string[] = [];
  const tables = new Set<string>();
  const readTables = (text: string) => {
    for (const [, name = ""] of text.matchAll(tableForm)) tables.add(name);
  };
  const dialectNames = new Set<string>();
  const readDialect = (name: string, form: RegExp) => {
    if (form.test(name)) dialectNames.add(name);
  };
  const textOf = (node: { start: number; end: number }) => source.slice(node.start, node.end);

  new Visitor({
    ImportDeclaration(node) {
      imports.add(node.source.value);
      if (node.importKind !== "type") valueImports.add(node.source.value);
      if (isProcessModule(node.source.value) && node.specifiers.some(isNamedEnv)) environmentReads.push(textOf(node));
    },
    ExportAllDeclaration: (node) => void imports.add(node.source.value),
    ExportNamedDeclaration(node) {
      if (node.source) imports.add(node.source.value);
    },
    ImportExpression(node) {
      if (node.source.type === "Literal") imports.add(String(node.source.value));
      if (node.source.type === "TemplateLiteral" && node.source.expressions.length === 0)
        imports.add(node.source.quasis.map((part) => part.value.cooked).join(""));
    },
    TSImportType: (node) => void imports.add(node.source.value),
    MemberExpression(node) {
      if (isNamed(node.object, "process") && propertyOf(node) === "env") environmentReads.push(textOf(node));
    },
    VariableDeclarator(node) {
      // const { env } = process
      if (node.init && isNamed(node.init, "process") && node.id.type === "ObjectPattern")
        if (node.id.properties.some((property) => property.type === "Property" && isNamed(property.key, "env")))
          environmentReads.push(textOf(node));
    },
    Identifier: (node) => readDialect(node.name, dialectPart),
    Literal(node) {
      if (typeof node.value !== "string") return;
      readTables(node.value);
      readDialect(node.value, dialectWord);
    },
    TemplateElement: (node) => readDialect(node.value.raw, dialectWord),
    // The whole of it, so that a name after a value that is put in is still read in its sentence.
    TemplateLiteral: (node) => readTables(textOf(node)),
    NewExpression(node) {
      if (isNamed(node.callee, "Date") && node.arguments.length === 0) clockReads.push(textOf(node));
    },
    CallExpression(node) {
      const { callee } = node;
      const [first] = node.arguments;
      const defines = isNamed(callee, "defineInsert") || isNamed(callee, "defineUpdate");
      if (defines && first?.type === "Literal") tables.add(String(first.value));
      // Date() ignores its arguments and says now.
      if (isNamed(callee, "Date")) clockReads.push(textOf(node));
      if (callee.type === "MemberExpression" && isNamed(callee.object, "Date") && propertyOf(callee) === "now")
        clockReads.push(textOf(node));
    },
  }).visit(program);

  return {
    imports: [...imports],
    valueImports: [...valueImports],
    environmentReads,
    clockReads,
    tables: [...tables],
    dialectNames: [...dialectNames].filter((name) => !imports.has(name)),
  };
}

type Named = { type: string; name?: unknown };

/** The identifier itself, or the same as a property of globalThis. */
function isNamed(node: Named, name: string): boolean {
  if (node.type === "MemberExpression") {
    const member = node as unknown as Member;
    return isNamed(member.object, "globalThis") && propertyOf(member) === name;
  }
  return node.type === "Identifier" && node.name === name;
}

type Member = { object: Named; property: Named & { value?: unknown }; computed: boolean };

function propertyOf({ property, computed }: Member): unknown {
  return computed ? property.value : property.name;
}

function isProcessModule(specifier: string): boolean {
  return specifier === "node:process" || specifier === "process";
}

function isNamedEnv(specifier: { type: string; imported?: Named }): boolean {
  return specifier.imported !== undefined && isNamed(specifier.imported, "env");
}
