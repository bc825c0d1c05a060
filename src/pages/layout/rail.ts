/** The navigation of work pages: one row per page. A row is shown to roles that may carry out its operation. */
import { listAuditEntries } from "../../audit/audit-entry.operations.ts";
import { listChannelSettings } from "../../crm/channels/channel.operations.ts";
import { listWorkflows } from "../../crm/workflows/workflow.operations.ts";
import { readEventLog } from "../../crm/event-log/event.operations.ts";
import { listApps } from "../../marketplace/apps/app.operations.ts";
import { listSubscriptions } from "../../marketplace/billing/billing.operations.ts";
import type { May } from "../../operation/permission.ts";
import { listApiKeys } from "../../tenancy/api-keys/api-key.operations.ts";
import { browseHooks } from "../../webhooks/hooks/hook.operations.ts";
import { getLocation } from "../../tenancy/locations/location.operations.ts";
import { listPeople } from "../../tenancy/users/user.operations.ts";
import type { IconName } from "../parts/icon.ts";

interface RailRow {
  /** Below /w/{workspace} or /l/{location}; identifies the row. */
  readonly path: `/${string}`;
  readonly title: string;
  readonly icon: IconName;
  readonly group: "Work" | "Build" | "Workspace";
  readonly within: "workspace" | "location";
  /** The operation that its page carries out. */
  readonly may: { readonly may: May };
}

/** In the order of the rail. The first four that a person may see are the tabs of a phone. */
export const rail = [
  { path: "/keys", title: "API keys", icon: "key-round", group: "Build", within: "workspace", may: listApiKeys },
  { path: "/webhooks", title: "Webhooks", icon: "webhook", group: "Build", within: "workspace", may: browseHooks },
  { path: "/apps", title: "Apps", icon: "puzzle", group: "Build", within: "workspace", may: listApps },
  { path: "/workflows", title: "Workflows", icon: "workflow", group: "Build", within: "location", may: listWorkflows },
  {
    path: "/channels",
    title: "Channels",
    icon: "message-square",
    group: "Build",
    within: "location",
    may: listChannelSettings,
  },
  { path: "/events", title: "Event log", icon: "scroll-text", group: "Build", within: "workspace", may: readEventLog },
  {
    path: "/billing",
    title: "Billing",
    icon: "credit-card",
    group: "Workspace",
    within: "workspace",
    may: listSubscriptions,
  },
  { path: "/people", title: "People", icon: "users", group: "Workspace", within: "workspace", may: listPeople },
  {
    path: "/locations",
    title: "Locations",
    icon: "map-pin",
    group: "Workspace",
    within: "workspace",
    may: getLocation,
  },
  {
    path: "/audit",
    title: "Audit log",
    icon: "scroll-text",
    group: "Workspace",
    within: "workspace",
    may: listAuditEntries,
  },
] as const satisfies readonly RailRow[];

export type RailPath = (typeof rail)[number]["path"];
