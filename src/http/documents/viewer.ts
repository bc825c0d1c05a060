/** The viewer of the API reference, swagger-ui: which of its files a page loads, and where they lie. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export const viewerFiles = ["swagger-ui.css", "swagger-ui-bundle.js"] as const;

/** A package carries them beside this file (scripts/build.ts); a clone has them among its development tools. */
export function viewerFolder(): string {
  const carried = join(import.meta.dirname, "swagger-ui");
  return existsSync(carried)
    ? carried
    : dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
}
