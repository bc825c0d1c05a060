// The least that a command of oclif takes: what the commands of crm are measured by, started the way crm is.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache();

const { execute, settings } = await import("@oclif/core");

settings.enableAutoTranspile = false;

const dir = fileURLToPath(new URL(".", import.meta.url));
await execute({ dir, loadOptions: { root: dir, userPlugins: false } });
