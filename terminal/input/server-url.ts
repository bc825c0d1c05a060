/** The base URL of the running service, for commands that use HTTP. */
import { Flags } from "@oclif/core";
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
  { baseUrl, host, port }: Pick<Settings, "baseUrl" | "host" | "port">,
): string {
  if (given !== undefined && !/^https?:$/.test(URL.parse(given)?.protocol ?? "")) {
    throw new WrongUsage(`--url is ${JSON.stringify(given)}; expected an http:// or https:// address.`);
  }
  const address = given ?? baseUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return address.replace(/\/$/, "");
}
