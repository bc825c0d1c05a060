/** One webhook: its state and settings, and its deliveries. */
import type {
  DeliveryCounts,
  DeliveryFilter,
  DeliverySummary,
} from "../../../webhooks/deliveries/delivery-summary.view.ts";
import { mostCounted } from "../../../webhooks/deliveries/delivery-summary.queries.ts";
import type { HookView } from "../../../webhooks/hooks/hook.view.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { barChart } from "../../parts/bars.ts";
import { icon } from "../../parts/icon.ts";
import { empty } from "../../parts/lists/empty.ts";
import { rowMenu } from "../../parts/lists/row-menu.ts";
import { segment } from "../../parts/lists/segment.ts";
import { pager, table } from "../../parts/lists/table.ts";
import { isolatedName } from "../../parts/name.ts";
import { notice } from "../../parts/notice.ts";
import { day, dayAndTime } from "../../parts/times.ts";
import { brokenUrl } from "../../parts/url.ts";
import { deliveryBadge, eventsSummary, hookBadgeSince, lastAnswer } from "./delivery.texts.ts";

interface HookDetail {
  readonly hook: HookView;
  readonly counts: DeliveryCounts;
  readonly filter: DeliveryFilter | undefined;
  readonly deliveries: readonly DeliverySummary[];
  readonly isContinued: boolean;
  readonly nextCursor: string | null;
}

export function hookPage(here: WorkView, detail: HookDetail): Html {
  const { site, zone, workplace, formToken } = here;
  const { hook } = detail;
  const base = here.to(`/webhooks/${hook.id}`);
  const location = workplace.locations.find(({ id }) => id === hook.location_id);
  const [status, word, sign] =
    hook.status === "active" ? (["paused", "Pause", "pause"] as const) : (["active", "Resume", "play"] as const);
  return work(here, {
    title: html`Webhook ${hook.target_url}`,
    at: "/webhooks",
    live: { noun: "hook", id: hook.id },
    head: {
      title: "Webhooks",
      back: here.to("/webhooks"),
      actions: html`
        <form method="post" action="${base}/test">
          <input type="hidden" name="form_token" value="${formToken}" />
          <button class="button primary">${icon(site, "zap")} Send test</button>
        </form>
        <form method="post" action="${base}/status">
          <input type="hidden" name="form_token" value="${formToken}" />
          <button class="button" name="status" value="${status}">
            ${icon(site, sign)} <span class="word">${word}</span>
          </button>
        </form>
        ${rowMenu(site, {
          id: `hook-${hook.id}`,
          name: "this webhook",
          links: [
            { href: `${base}/events`, text: "Change events…", icon: "pencil" },
            { href: `${base}/secret`, text: "Rotate secret…", icon: "rotate-cw" },
            { href: `${base}/remove`, text: "Remove…", icon: "trash-2" },
          ],
        })}
      `,
    },
    content: html`
      <div class="page-head">
        <h1>${brokenUrl(hook.target_url)}</h1>
        <p class="state-line" id="state" data-live="">
          ${hookBadgeSince(site, zone, hook)}
          <span>${hook.location_id === null ? "All locations" : isolatedName(location?.name ?? "One location")}</span>
          <span>${eventsSummary(hook)}</span> <span>Since ${day(zone, hook.created_at)}</span>
        </p>
      </div>
      ${
        hook.status === "disabled" &&
        notice(site, {
          kind: "danger",
          title: "Nothing is sent",
          text: "The receiver responded with 410 Gone. Resume the webhook once the receiver accepts deliveries again.",
        })
      }
      <div class="two">
        ${deliveryBlock(here, base, detail)}
        <div class="stack">
          ${lastDay(detail.counts)}
          <section class="block">
            <header>
              <h2>Events</h2>
              <a class="note-text" href="${base}/events">Change…</a>
            </header>
            <p class="tags">
              ${
                hook.events === null
                  ? html`<span class="badge">All events</span>`
                  : hook.events.map((event) => html`<span class="badge"><code>${event}</code></span> `)
              }
            </p>
          </section>
          <section class="block">
            <header>
              <h2>Secret</h2>
              <a class="note-text" href="${base}/secret">Rotate…</a>
            </header>
            <p class="hint">It signs every delivery, and is shown once, when it is created.</p>
          </section>
        </div>
      </div>
    `,
  });
}

/** Hours are counted up to a limit, and their sum says so. */
function lastDay({ hours, failed_in_hours: failed, waiting }: DeliveryCounts): Html {
  const created = hours.reduce((all, hour) => all + hour.created, 0);
  const all = `${created.toLocaleString("en")}${hours.some((hour) => hour.created >= mostCounted) ? "+" : ""}`;
  const lost = `${failed === 0 ? "None" : failed}${failed >= mostCounted ? "+" : ""} failed`;
  const label = `${all} ${created === 1 ? "delivery" : "deliveries"} in 24 hours. ${lost}.`;
  return html`<section class="block" id="last-day" data-live="">
    <header>
      <h2>Last 24 hours</h2>
      <span class="hint">${all} created</span>
    </header>
    ${barChart({ label, bars: hours.map(({ created: count, has_failed: isFailed }) => ({ count, isFailed })) })}
    <p class="hint">${lost}${failed === 0 && waiting > 0 && " for good yet"}.</p>
  </section>`;
}

const filterTitles = { waiting: "Waiting", failed: "Failed", delivered: "Delivered" } as const;

function deliveryBlock(here: WorkView, base: `/${string}`, detail: HookDetail): Html {
  const { site, zone } = here;
  const { counts, filter, deliveries, isContinued, nextCursor } = detail;
  const list: `/${string}` = filter === undefined ? base : `${base}?state=${filter}`;
  const countOf = (count: number) => (count === 0 ? undefined : count >= mostCounted ? `${count}+` : String(count));
  return html`<section class="block" id="delivery-list" data-live="" aria-labelledby="deliveries">
    <header>
      <h2 id="deliveries">Deliveries</h2>
      ${
        counts.failed > 0 &&
        html`<a class="note-text" href="${base}/replay">Replay ${countOf(counts.failed)} failed…</a>`
      }
    </header>
    ${segment({
      label: "Which deliveries",
      choices: [
        { text: "All", href: base, isChosen: filter === undefined },
        ...(["waiting", "failed", "delivered"] as const).map((state) => ({
          text: filterTitles[state],
          href: `${base}?state=${state}` as const,
          isChosen: filter === state,
          count: state === "delivered" ? undefined : countOf(counts[state]),
        })),
      ],
    })}
    ${
      deliveries.length === 0
        ? empty(site, {
            icon: "send",
            level: "h3",
            title: filter === undefined ? "No deliveries yet" : `No ${filter} deliveries`,
            text:
              filter === undefined
                ? "Each event becomes a delivery. Send a test to see one."
                : "Deliveries in other states are under All.",
          })
        : html`<div class="framed">
            ${table({
              caption:
                filter === "waiting" ? "Deliveries by their next attempt" : "Deliveries of the webhook, newest first",
              rows: deliveries,
              columns: [
                {
                  title: "Event",
                  cell: ({ id, event, created_at }) =>
                    html`<a class="main" href="${here.to("/deliveries/")}${id}">${event}</a>
                      <small class="sub">#${id} · ${dayAndTime(zone, created_at)}</small>`,
                },
                { title: "State", cell: ({ state }) => deliveryBadge(site, state) },
                { title: "Last response", folded: "wide", cell: (delivery) => lastAnswer(zone, delivery) },
              ],
            })}
          </div>`
    }
    ${pager(site, {
      shown: null,
      first: isContinued ? list : null,
      next:
        nextCursor === null
          ? null
          : `${list}${filter === undefined ? "?" : "&"}cursor=${encodeURIComponent(nextCursor)}`,
    })}
  </section>`;
}
