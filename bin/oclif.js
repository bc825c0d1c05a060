// Hands the command line over to oclif, which finds the verbs in commands/.
import { enableCompileCache } from "node:module";

// Compiled modules are kept between starts; what cannot be cached is simply compiled again.
enableCompileCache();

const { execute, settings } = await import("@oclif/core");

// Node itself runs the .ts files; with NODE_ENV=test oclif would go looking for tsx and ts-node.
settings.enableAutoTranspile = false;

await execute({ dir: import.meta.url });
