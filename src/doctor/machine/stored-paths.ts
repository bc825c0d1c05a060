/** The folders of this machine in which an installation stores something. */
import { dirname } from "node:path";
import type { Settings } from "../../../config/settings.ts";
import { embeddedPath } from "../../storage/open-database.ts";

type PathSettings = Pick<Settings, "dataDir" | "databaseUrl" | "blobUrl" | "backupUrl">;

/** Each once. */
export function storedPaths({ dataDir, databaseUrl, blobUrl, backupUrl }: PathSettings): string[] {
  const database = embeddedPath(databaseUrl);
  const folders = [blobUrl, backupUrl].flatMap((url) => (url?.startsWith("fs:") ? [url.slice("fs:".length)] : []));
  return [...new Set([dataDir, ...(database === undefined ? [] : [dirname(database)]), ...folders])];
}
