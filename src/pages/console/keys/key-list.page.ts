/** The list of API keys. */
import { mayCarryOut } from "../../../operation/permission.ts";
import { createApiKey, revokeApiKey } from "../../../tenancy/api-keys/api-key.operations.ts";
import type { ApiKeyView } from "../../../tenancy/api-keys/api-key.view.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { badge } from "../../parts/badge.ts";
import { icon } from "../../parts/icon.ts";
import { empty } from "../../parts/lists/empty.ts";
import { rowMenu } from "../../parts/lists/row-menu.ts";
import { segment } from "../../parts/lists/segment.ts";
import { pager, table } from "../../parts/lists/table.ts";
import { isolatedName } from "../../parts/name.ts";
import { day } from "../../parts/times.ts";
import { reachOf } from "../reach.ts";
import { summaryOf } from "../scope.texts.ts";

interface KeyList {
  readonly keys: readonly ApiKeyView[];
  readonly now: Date;
  /** Whether revoked and expired keys are left out. */
  readonly isActiveOnly: boolean;
  /** Whether this is a later page. */
  readonly isContinued: boolean;
  readonly nextCursor: string | null;
}

export function keyListPage(here: WorkView, { keys, now, isActiveOnly, isContinued, nextCursor }: KeyList): Html {
  const { site, workplace } = here;
  const mayCreate = mayCarryOut(createApiKey, workplace.role);
  const create = html`<a class="button primary" href="${here.to("/keys/new")}">${icon(site, "plus")} New key</a>`;
  const list = isActiveOnly ? here.to("/keys") : (`${here.to("/keys")}?state=all` as const);
  const isEmpty = keys.length === 0 && !isContinued;
  const filters = html`<div class="filters">
    ${segment({
      label: "Which keys",
      choices: [
        { text: "Active", href: here.to("/keys"), isChosen: isActiveOnly },
        { text: "All", href: `${here.to("/keys")}?state=all`, isChosen: !isActiveOnly },
      ],
    })}
  </div>`;
  return work(here, {
    title: "API keys",
    at: "/keys",
    isWide: true,
    head: { title: "API keys", ...(mayCreate && { actions: create }) },
    content: html`${filters}
    ${
      isEmpty
        ? empty(site, {
            icon: "key-round",
            title: isActiveOnly ? "No active API keys" : "No API keys yet",
            text: "A key lets a program work in this workspace, within the scopes that you choose.",
            action: mayCreate && create,
          })
        : keyTable(here, keys, now)
    }
    ${pager(site, {
      shown: null,
      first: isContinued ? list : null,
      next: nextCursor === null ? null : `${list}${isActiveOnly ? "?" : "&"}cursor=${encodeURIComponent(nextCursor)}`,
    })}`,
  });
}

function keyTable(here: WorkView, keys: readonly ApiKeyView[], now: Date): Html {
  const { site, workplace, zone } = here;
  const mayRevoke = mayCarryOut(revokeApiKey, workplace.role);
  return table({
    caption: "API keys of the workspace, oldest first",
    rows: keys,
    columns: [
      {
        title: "Name",
        cell: (key) =>
          html`<b>${isolatedName(key.name)}</b> <small class="sub">ends in <code>${key.last_four}</code></small>`,
      },
      { title: "State", cell: (key) => stateOf(here, key, now) },
      { title: "May do", folded: "wide", cell: (key) => summaryOf(key.scopes) },
      { title: "Where", folded: "wide", cell: (key) => reachOf(here, key.location_ids) },
      {
        title: "Last used",
        folded: "wide",
        isNamed: true,
        cell: (key) => (key.last_used_at === null ? "Never" : day(zone, key.last_used_at)),
      },
    ],
    actions: (key) =>
      mayRevoke &&
      key.revoked_at === null &&
      rowMenu(site, {
        id: `key-${key.id}`,
        name: key.name,
        links: [
          { href: here.to(`/keys/${key.id}/rotate`), text: "Rotate…" },
          { href: here.to(`/keys/${key.id}/revoke`), text: "Revoke…" },
        ],
      }),
  });
}

function stateOf({ site, zone }: WorkView, key: ApiKeyView, now: Date): Html {
  if (key.revoked_at !== null) return badge(site, { kind: "plain", text: "Revoked", icon: "x" });
  if (key.expires_at === null) return badge(site, { kind: "ok", text: "Active", icon: "check" });
  if (Date.parse(key.expires_at) <= now.getTime()) {
    return badge(site, { kind: "warn", text: "Expired", icon: "clock" });
  }
  return badge(site, { kind: "ok", text: html`Until ${day(zone, key.expires_at)}`, icon: "check" });
}
