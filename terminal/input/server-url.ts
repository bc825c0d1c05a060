/** The base URL of the running service, for commands that use HTTP. */
import { Flags } from "@oclif/core";
import { toListeningUrl } from "../../src/http/connection/listening-url.ts";
import type { ListeningSettings } from "../../src/http/connection/listening-url.ts";
import type { Settings } from "../../config/settings.ts";
import { WrongUsage } from "../failures.ts";

export const serverUrlFlag = {
  url: Flags.string({
    description: "Base URL of the server (CRM_BASE_URL, else CRM_HOST and CRM_PORT).",
    helpValue: "URL",
  }),
};

/** Without a trailing slash. */
export function readServerUrl(
  given: string | undefined,
  { baseUrl, ...listening }: Pick<Settings, "baseUrl"> & ListeningSettings,
): string {
  if (given !== undefined && !/^https?:$/.test(URL.parse(given)?.protocol ?? "")) {
    throw new WrongUsage(`--url is ${JSON.stringify(given)}; expected an http:// or https:// address.`);
  }
  const address = given ?? baseUrl ?? toListeningUrl(listening);
  return address.replace(/\/$/, "");
}
