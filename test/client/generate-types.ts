/** Prints what openapi-typescript makes of the OpenAPI document on stdin; a process of its own, since it changes how modules are found. */
import { registerHooks } from "node:module";
import { text } from "node:stream/consumers";

// The generator speaks to TypeScript as it was up to 6. This package brings that without another `tsc`.
const compiler = "@ts-morph/common/dist/typescript.js";
registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? compiler : specifier, context),
});

const { default: generate, astToString } = await import("openapi-typescript");
process.stdout.write(astToString(await generate(await text(process.stdin))));
