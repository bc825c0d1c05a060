/** The start page of a visitor who is not signed in: introduction, readiness, and links. */
import { isReady } from "../../http/health.ts";
import type { Readiness } from "../../http/health.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { narrow } from "../layout/narrow.ts";
import { notice } from "../parts/notice.ts";
import type { Site } from "../site.ts";

interface Front {
  readonly version: string;
  readonly readiness: Readiness;
}

export function frontPage(site: Site, { version, readiness }: Front): Html {
  return narrow(site, {
    title: "Start",
    content: html`
      <div class="opening">
        <h1>Welcome to crm</h1>
        <p>A CRM for a business with one or many locations. Programs talk to it as JSON over HTTP.</p>
      </div>
      ${
        isReady(readiness)
          ? notice(site, { kind: "ok", title: "Ready", text: "The database responds, and its schema is current." })
          : notice(site, { kind: "danger", title: "Not ready", text: whyNot(readiness) })
      }
      <nav class="form" aria-label="Start">
        <a class="button primary wide" href="${site.path("/sign-in")}">Sign in</a>
        <a class="button wide" href="${site.path("/docs")}">Open the API reference</a>
      </nav>
      <p class="after">
        <span>Version ${version} · <a href="${site.path("/openapi.json")}">OpenAPI document</a></span>
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
