/** The states of webhooks and deliveries in words. */
import type { DeliverySummary } from "../../../webhooks/deliveries/delivery-summary.view.ts";
import type { HookView } from "../../../webhooks/hooks/hook.view.ts";
import type { AttemptError, DeliveryState, HookStatus } from "../../../vocabulary/states.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import { badge } from "../../parts/badge.ts";
import type { IconName } from "../../parts/icon.ts";
import { dayAndTime } from "../../parts/times.ts";
import type { Site } from "../../site.ts";

type Look = readonly [text: string, kind: "ok" | "warn" | "danger" | "plain", icon: IconName];

const deliveryLooks: Readonly<Record<DeliveryState, Look>> = {
  pending: ["Waiting", "plain", "clock"],
  delivering: ["Sending", "plain", "send"],
  retrying: ["Retrying", "warn", "rotate-cw"],
  delivered: ["Delivered", "ok", "check"],
  failed: ["Failed", "danger", "x"],
  canceled: ["Canceled", "plain", "x"],
};

export function deliveryBadge(site: Site, state: DeliveryState): Html {
  const [text, kind, icon] = deliveryLooks[state];
  return badge(site, { kind, text, icon });
}

const failing = { kind: "warn", icon: "triangle-alert" } as const;

const hookLooks: Readonly<Record<HookStatus, Look>> = {
  active: ["Active", "ok", "check"],
  paused: ["Paused", "plain", "pause"],
  disabled: ["Disabled", "danger", "x"],
};

type HookState = Pick<HookView, "status" | "failing_since">;

/** The state in a word, for lists. */
export function hookBadge(site: Site, { status, failing_since: since }: HookState): Html {
  if (status === "active" && since !== null) return badge(site, { ...failing, text: "Failing" });
  const [text, kind, icon] = hookLooks[status];
  return badge(site, { kind, text, icon });
}

/** The same with the time since when it fails. */
export function hookBadgeSince(site: Site, zone: string, hook: HookState): Html {
  const { status, failing_since: since } = hook;
  if (status !== "active" || since === null) return hookBadge(site, hook);
  return badge(site, { ...failing, text: html`Failing since ${dayAndTime(zone, since)}` });
}

const errors: Readonly<Record<AttemptError, string>> = {
  timeout: "No response in time",
  dns: "The host name was not found",
  tls: "The TLS connection failed",
  refused: "The connection failed",
  redirect: "Redirects are not followed",
  forbidden_address: "The address is not public",
  http_4xx: "Client error",
  http_5xx: "Server error",
  crashed: "The attempt was interrupted",
};

interface ShownAttempt {
  readonly status: number | null;
  readonly error: AttemptError | null;
  readonly duration_ms: number | null;
}

/** Such as “503 in 118 ms” and “No response in time”. */
export function attemptResult({ status, error, duration_ms: duration }: ShownAttempt): string {
  if (duration === null) return "In progress";
  if (status === null) return error === null ? "Nothing was sent" : errors[error];
  return `${status} in ${duration} ms`;
}

/** The last attempt of a delivery, and when the next one is. */
export function lastAnswer(zone: string, { last_attempt: last, next_attempt_at: next }: DeliverySummary): Html {
  const result = last === null ? "Not attempted yet" : attemptResult(last);
  return html`${result}${last !== null && last.number > 1 && ` · attempt ${last.number}`}${
    next !== null && html`, next at ${dayAndTime(zone, next)}`
  }`;
}

export function eventsSummary({ events }: Pick<HookView, "events">): string {
  if (events === null) return "All events";
  return events.length === 1 ? events[0]! : `${events.length} events`;
}
