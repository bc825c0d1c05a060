/** The list of locations. */
import type { WorkView } from "../../as-person.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import { work } from "../../layout/work.ts";
import { icon } from "../../parts/icon.ts";
import { pager, table } from "../../parts/lists/table.ts";
import { isolatedName } from "../../parts/name.ts";

interface LocationList {
  readonly locations: WorkView["workplace"]["locations"];
  /** Whether this is a later page. */
  readonly isContinued: boolean;
  /** The last id of the page; null on the last page. */
  readonly nextAfter: number | null;
}

export function locationListPage(here: WorkView, { locations, isContinued, nextAfter }: LocationList): Html {
  const { site, workplace } = here;
  const list = here.to("/locations");
  return work(here, {
    title: "Locations",
    at: "/locations",
    isWide: true,
    head: {
      title: "Locations",
      total: String(workplace.locations.length),
      actions: html`<a class="button primary" href="${here.to("/locations/new")}"
        >${icon(site, "plus")} New location</a
      >`,
    },
    content: html`${table({
      caption: "Locations of the workspace, oldest first",
      rows: locations,
      columns: [
        {
          title: "Name",
          folded: "wide",
          cell: ({ id, name, address }) =>
            html`<a href="${here.to(`/locations/${id}`)}"><b>${isolatedName(name)}</b></a>
              ${address !== "" && html`<small class="sub">${isolatedName(address)}</small>`}`,
        },
        { title: "Time zone", folded: "wide", isNamed: true, cell: ({ timezone }) => timezone },
      ],
    })}
    ${pager(site, {
      shown: null,
      first: isContinued ? list : null,
      next: nextAfter === null ? null : `${list}?after=${nextAfter}`,
    })}`,
  });
}
