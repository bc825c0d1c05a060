/** The list of webhooks. */
import { mayCarryOut } from "../../../operation/permission.ts";
import { createHook } from "../../../webhooks/hooks/hook.operations.ts";
import type { HookSummary } from "../../../webhooks/hooks/hook-summary.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { icon } from "../../parts/icon.ts";
import { empty } from "../../parts/lists/empty.ts";
import { pager, table } from "../../parts/lists/table.ts";
import { dayAndTime } from "../../parts/times.ts";
import { brokenUrl } from "../../parts/url.ts";
import { deliveryBadge, eventsSummary, hookBadge } from "./delivery.texts.ts";

interface HookList {
  readonly hooks: readonly HookSummary[];
  readonly isContinued: boolean;
  readonly nextCursor: string | null;
}

export function hookListPage(here: WorkView, { hooks, isContinued, nextCursor }: HookList): Html {
  const { site, workplace, zone } = here;
  const list = here.to("/webhooks");
  const create =
    mayCarryOut(createHook, workplace.role) &&
    html`<a class="button primary" href="${here.to("/webhooks/new")}">${icon(site, "plus")} New webhook</a>`;
  return work(here, {
    title: "Webhooks",
    at: "/webhooks",
    isWide: true,
    head: { title: "Webhooks", ...(create && { actions: create }) },
    content:
      hooks.length === 0 && !isContinued
        ? empty(site, {
            icon: "webhook",
            title: "No webhooks yet",
            text: "A webhook sends the events that you choose to a URL of yours, signed, and retries what fails.",
            action: create,
          })
        : html`${table({
            caption: "Webhooks of the workspace, oldest first",
            rows: hooks,
            columns: [
              {
                title: "URL",
                cell: ({ id, target_url: url }) =>
                  html`<a class="main" href="${here.to("/webhooks/")}${id}">${brokenUrl(url)}</a>`,
              },
              { title: "State", cell: (hook) => hookBadge(site, hook) },
              { title: "Events", folded: "wide", cell: eventsSummary },
              {
                title: "Last delivery",
                folded: "wide",
                isNamed: true,
                cell: ({ last_delivery: last }) =>
                  last === null
                    ? "None"
                    : html`${deliveryBadge(site, last.state)}
                        <small class="sub">${dayAndTime(zone, last.created_at)}</small>`,
              },
            ],
          })}
          ${pager(site, {
            shown: null,
            first: isContinued ? list : null,
            next: nextCursor === null ? null : `${list}?cursor=${encodeURIComponent(nextCursor)}`,
          })}`,
  });
}
