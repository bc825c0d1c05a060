/** The API reference viewer, swagger-ui: the files a page loads, and where they are. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export const viewerFiles = ["swagger-ui.css", "swagger-ui-bundle.js"] as const;

/** A package includes them beside this file (scripts/build.ts); a clone has them in node_modules. */
export function viewerFolder(): string {
  const carried = join(import.meta.dirname, "swagger-ui");
  return existsSync(carried)
    ? carried
    : dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
}
