/** One name, one meaning: the names that two files of src/ declare, as a pure function of their sources. */
import { parseSync } from "vite";

/** A name at the top level of a file: a type counts in any case, a function or a constant where it is exported. */
type Declaration = { readonly name: string; readonly kind: "type" | "function" | "operation" };

/** The class of a migration has the same name for both databases: it is generated. */
const generated = /\/migrations\/(?:sqlite|postgres)\//;

/** A sentence for each name that more than one file declares, sorted. */
export function findRepeatedNames(files: Readonly<Record<string, string>>): string[] {
  const types = new Map<string, Set<string>>();
  const functions = new Map<string, Set<string>>();
  const operations = new Map<string, Set<string>>();
  for (const [path, source] of Object.entries(files)) {
    if (!path.startsWith("src/") || !path.endsWith(".ts") || generated.test(path)) continue;
    for (const { name, kind } of declarationsOf(path, source)) {
      const seen = { type: types, function: functions, operation: operations }[kind];
      seen.set(name, (seen.get(name) ?? new Set()).add(path));
    }
  }
  // An operation has the name of the function that does its work (ARCHITECTURE.md, "One noun"), so the two lists are apart.
  return [types, functions, operations]
    .flatMap((seen) => [...seen])
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => `${name} is declared in ${[...paths].toSorted().join(" and ")}: one name means one thing.`)
    .toSorted();
}

function declarationsOf(path: string, source: string): Declaration[] {
  return parseSync(path, source).program.body.flatMap((statement): Declaration[] => {
    const isExported = statement.type === "ExportNamedDeclaration";
    const declared = isExported ? statement.declaration : statement;
    switch (declared?.type) {
      case "TSInterfaceDeclaration":
      case "TSTypeAliasDeclaration":
        return [{ name: declared.id.name, kind: "type" }];
      case "ClassDeclaration":
        return declared.id === null ? [] : [{ name: declared.id.name, kind: "type" }];
      case "FunctionDeclaration":
        return isExported && declared.id !== null ? [{ name: declared.id.name, kind: "function" }] : [];
      case "VariableDeclaration":
        return isExported
          ? declared.declarations.flatMap((one) =>
              one.id.type === "Identifier" ? [{ name: one.id.name, kind: kindOf(one.init) }] : [],
            )
          : [];
      default:
        return [];
    }
  });
}

function kindOf(init: { readonly type: string; readonly callee?: unknown } | null): "function" | "operation" {
  if (init?.type !== "CallExpression") return "function";
  const callee = init.callee as { readonly type: string; readonly name?: string };
  return callee.type === "Identifier" && (callee.name === "operation" || callee.name === "withIdsAhead")
    ? "operation"
    : "function";
}
