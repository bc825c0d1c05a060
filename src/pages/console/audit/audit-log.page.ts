/** The audit log of a workspace, latest entry first. */
import type { AuditEntryView } from "../../../audit/audit-entry.view.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { faultNotice } from "../../parts/forms/faults.ts";
import type { FieldFaults } from "../../parts/forms/faults.ts";
import { empty } from "../../parts/lists/empty.ts";
import { pager, table } from "../../parts/lists/table.ts";
import { isolatedName } from "../../parts/name.ts";
import { dayAndTime } from "../../parts/times.ts";

interface AuditLogProps {
  readonly entries: readonly AuditEntryView[];
  /** As sent; empty for all. */
  readonly operation: string;
  readonly actor: string;
  readonly isContinued: boolean;
  readonly nextCursor: string | null;
  readonly faults?: FieldFaults;
}

export function auditLogPage(here: WorkView, props: AuditLogProps): Html {
  const { entries, operation, actor, isContinued, nextCursor, faults = {} } = props;
  const { site, zone } = here;
  const list = here.to("/audit");
  const address = (changed: { operation?: string; actor?: string; cursor?: string | null } = {}): `/${string}` => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ operation, actor, ...changed })) if (value) query.set(name, value);
    return query.size === 0 ? list : `${list}?${query.toString()}`;
  };
  const isFiltered = operation !== "" || actor !== "";
  return work(here, {
    title: "Audit log",
    at: "/audit",
    isWide: true,
    head: { title: "Audit log" },
    content: html`
      <form class="filters" method="get" action="${list}">
        <label>
          Operation
          <input id="operation" name="operation" value="${operation}" placeholder="createApiKey" autocomplete="off" />
        </label>
        <label>By <input id="actor" name="actor" value="${actor}" placeholder="user:12" autocomplete="off" /></label>
        <button class="button small">Filter</button>
        ${isFiltered && html`<a class="button small quiet" href="${list}">Show all entries</a>`}
      </form>
      ${Object.keys(faults).length > 0 && html`<div class="above-list">${faultNotice(site, faults)}</div>`}
      ${
        entries.length === 0
          ? empty(site, {
              icon: "scroll-text",
              title: isFiltered ? "No entry matches" : "No entries yet",
              text: "Changes of people, keys, apps, webhooks, channels, workflows and settings, sign-ins, exports and forgotten contacts are listed here.",
            })
          : table({
              caption: "Who did what, latest first",
              rows: entries,
              columns: [
                {
                  title: "Operation",
                  isRoomy: true,
                  cell: (entry) =>
                    html`<a href="${address({ operation: entry.operation })}"><code>${entry.operation}</code></a>`,
                },
                {
                  title: "When",
                  folded: "wide",
                  isRoomy: true,
                  cell: ({ created_at }) => dayAndTime(zone, created_at),
                },
                {
                  title: "By",
                  folded: "wide",
                  isNamed: true,
                  isRoomy: true,
                  cell: (entry) => html`<a href="${address({ actor: asFilter(entry) })}">${actorOf(entry)}</a>`,
                },
                { title: "From", folded: "wide", isNamed: true, isRoomy: true, cell: (entry) => entry.address ?? "-" },
                {
                  title: "Record",
                  folded: "wide",
                  isNamed: true,
                  isRoomy: true,
                  cell: ({ subject }) =>
                    subject === null ? "-" : `${subject.type.replaceAll("_", " ")} ${subject.id}`,
                },
                { title: "Details", folded: "wide", cell: detailsOf },
              ],
            })
      }
      ${pager(site, {
        shown: null,
        first: isContinued ? address() : null,
        firstText: "Latest entries",
        next: nextCursor === null ? null : address({ cursor: nextCursor }),
      })}
    `,
  });
}

/** As the filter names it, such as `user:12`. */
function asFilter({ actor: { type, id } }: AuditEntryView): string {
  return id === null ? type : `${type}:${id}`;
}

function actorOf({ actor: { type, id, name } }: AuditEntryView): Html | string {
  if (name !== null) return isolatedName(name);
  return id === null ? type : `${type.replaceAll("_", " ")} ${id}`;
}

/** Longer details are cut: the API has them whole. */
const mostShown = 300;

function detailsOf({ details }: AuditEntryView): Html | string {
  if (Object.keys(details).length === 0) return "-";
  const text = JSON.stringify(details);
  return html`<code>${text.length > mostShown ? `${text.slice(0, mostShown)}…` : text}</code>`;
}
