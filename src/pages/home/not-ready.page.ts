/** The start page while the service is not ready. */
import type { Readiness } from "../../http/health.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import { notice } from "../parts/notice.ts";
import type { Site } from "../site.ts";

interface NotReady {
  readonly version: string;
  readonly readiness: Readiness;
}

export function notReadyPage(site: Site, { version, readiness }: NotReady): Html {
  return narrow(site, {
    title: "Not ready",
    content: html`
      <div class="opening">
        <h1>Not ready</h1>
      </div>
      ${notice(site, { kind: "danger", title: "Not ready", text: whyNot(readiness) })}
      <p class="after">
        <span><a href="${site.path("/docs")}">API reference</a> · Version ${version}</span>
      </p>
    `,
  });
}

function whyNot({ database, schema, writes }: Readiness): string {
  if (database !== "ok") return "The database does not respond. Every request retries it.";
  if (schema === "ahead") return "The database is newer than this version: start the newer one.";
  if (schema === "behind") return "The database is older than this version: run “crm migrate”.";
  return writes === "disk_full"
    ? "The disk of the database is full. Reads work; changes will work again once there is free space."
    : "The database refuses changes: it is read-only, or its storage fails. Reads work.";
}
