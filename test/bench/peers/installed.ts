/** Loads packages from the folder in which the peers are installed. */
import { createRequire } from "node:module";
import { join } from "node:path";

/** They have no types here: none is a dependency. */
export function loaderOf(folder: string): NodeJS.Require {
  return createRequire(join(folder, "package.json"));
}
