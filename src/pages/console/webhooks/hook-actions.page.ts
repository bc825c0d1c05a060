/** The pages that ask before an action on one webhook. */
import type { HookView } from "../../../webhooks/hooks/hook.view.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { brokenUrl } from "../../parts/url.ts";
import { confirmPage } from "../confirm.page.ts";
import { graceChoice } from "../grace.ts";

interface HookAction {
  readonly hook: HookView;
  /** The one-time id of the form. */
  readonly once: string;
}

export function rotateSecretPage(here: WorkView, { hook, once }: HookAction): Html {
  return confirmPage(here, {
    at: "/webhooks",
    above: { title: "Webhook", path: `/webhooks/${hook.id}` },
    title: html`Rotate the secret?`,
    text: html`Deliveries to ${brokenUrl(hook.target_url)} are signed with a new secret, which is shown once. Until the
    old one ends, they carry both signatures.`,
    action: here.to(`/webhooks/${hook.id}/secret`),
    hidden: { once },
    choices: graceChoice(),
    button: "Rotate secret",
    keep: "Keep it",
  });
}

export function removeHookPage(here: WorkView, { hook }: Pick<HookAction, "hook">): Html {
  return confirmPage(here, {
    at: "/webhooks",
    above: { title: "Webhook", path: `/webhooks/${hook.id}` },
    title: html`Remove this webhook?`,
    text: html`Nothing more is sent to ${brokenUrl(hook.target_url)}, and waiting deliveries are canceled. This cannot
    be undone.`,
    action: here.to(`/webhooks/${hook.id}/remove`),
    button: "Remove webhook",
    keep: "Keep it",
  });
}

export function replayFailedPage(here: WorkView, { hook, failed }: { hook: HookView; failed: string }): Html {
  return confirmPage(here, {
    at: "/webhooks",
    above: { title: "Webhook", path: `/webhooks/${hook.id}` },
    title: html`Replay ${failed} failed deliveries?`,
    text: html`Each is sent to ${brokenUrl(hook.target_url)} again under its old ID, with five new attempts.`,
    action: here.to(`/webhooks/${hook.id}/replay`),
    button: "Replay them",
    kind: "primary",
    keep: "Not now",
  });
}
