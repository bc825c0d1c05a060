/** The list of people. */
import type { PersonInListView } from "../../../tenancy/users/user.view.ts";
import { mayCarryOut } from "../../../operation/permission.ts";
import { requireTwoFactor } from "../../../tenancy/workspaces/workspace.operations.ts";
import type { WorkView } from "../../as-person.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import { work } from "../../layout/work.ts";
import { badge } from "../../parts/badge.ts";
import { icon } from "../../parts/icon.ts";
import { rowMenu } from "../../parts/lists/row-menu.ts";
import { pager, table } from "../../parts/lists/table.ts";
import { isolatedEmail, isolatedName } from "../../parts/name.ts";
import { reachOf } from "../reach.ts";
import { roleTexts } from "./person.texts.ts";

interface PersonList {
  readonly people: readonly PersonInListView[];
  /** Whether this is a later page. */
  readonly isContinued: boolean;
  readonly nextCursor: string | null;
}

export function personListPage(here: WorkView, { people, isContinued, nextCursor }: PersonList): Html {
  const { site, person } = here;
  const list = here.to("/people");
  return work(here, {
    title: "People",
    at: "/people",
    isWide: true,
    head: {
      title: "People",
      actions: html`<a class="button primary" href="${here.to("/people/invite")}">${icon(site, "plus")} Invite</a>`,
    },
    content: html`${table({
      caption: "People of the workspace, oldest first",
      rows: people,
      columns: [
        {
          title: "Name",
          cell: ({ id, name, email }) =>
            html`<a href="${here.to(`/people/${id}`)}"><b>${isolatedName(name)}</b></a>
              ${id === person.userId && "(you)"}
              ${email !== name && html`<small class="sub">${isolatedEmail(email)}</small>`}`,
        },
        { title: "Role", cell: ({ role }) => roleTexts[role].title },
        { title: "Where", folded: "wide", cell: ({ location_ids: ids }) => reachOf(here, ids) },
        { title: "State", cell: (one) => stateOf(here, one) },
      ],
      actions: ({ id, name }) =>
        rowMenu(site, {
          id: `person-${id}`,
          name,
          links: [
            { href: here.to(`/people/${id}`), text: "Role and locations…", icon: "pencil" },
            { href: here.to(`/people/${id}/remove`), text: "Remove…", icon: "trash-2" },
          ],
        }),
    })}
    ${pager(site, {
      shown: null,
      first: isContinued ? list : null,
      next: nextCursor === null ? null : `${list}?cursor=${encodeURIComponent(nextCursor)}`,
    })}
    ${
      mayCarryOut(requireTwoFactor, here.workplace.role) &&
      html`<p class="above-list"><a href="${here.to("/two-factor")}">Two-factor sign-in of this workspace</a></p>`
    }`,
  });
}

export function stateOf({ site }: WorkView, { has_joined }: Pick<PersonInListView, "has_joined">): Html {
  return has_joined
    ? badge(site, { kind: "ok", text: "Active", icon: "check" })
    : badge(site, { kind: "warn", text: "Invited", icon: "clock" });
}
