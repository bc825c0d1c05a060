/**
 * Prints the types that openapi-typescript makes of the OpenAPI document on stdin. A process of its own, since it changes how
 * modules are found. With `--components`: only schemas and operations, each schema also under its own name.
 */
import { registerHooks } from "node:module";
import { text } from "node:stream/consumers";

// The generator speaks to TypeScript as it was up to 6. This package brings that without another `tsc`.
const compiler = "@ts-morph/common/dist/typescript.js";
registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? compiler : specifier, context),
});

const { default: generate, astToString } = await import("openapi-typescript");
const isReduced = process.argv.includes("--components");
const options = isReduced ? { rootTypes: true, rootTypesNoSchemaPrefix: true, defaultNonNullable: false } : {};
const nodes = await generate(await text(process.stdin), options);
const unused = new Set(["paths", "webhooks", "$defs"]);
const kept = isReduced
  ? nodes.filter((node) => !("name" in node) || !unused.has((node.name as { text?: string }).text ?? ""))
  : nodes;
process.stdout.write(astToString(kept));
