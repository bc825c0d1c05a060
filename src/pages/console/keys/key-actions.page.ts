/** The pages of one API key: its secret once, and the confirmations of a rotation and a revocation. */
import type { ApiKeyView, NewApiKeyView } from "../../../tenancy/api-keys/api-key.view.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { confirmPage } from "../confirm.page.ts";
import { work } from "../../layout/work.ts";
import { isolatedName } from "../../parts/name.ts";
import { pairs } from "../../parts/pairs.ts";
import { secretOnce } from "../../parts/secret-once.ts";
import { day, dayAndTime } from "../../parts/times.ts";
import { reachOf } from "../reach.ts";
import { summaryOf } from "../scope.texts.ts";

interface KeySecret {
  readonly key: NewApiKeyView;
  /** The URL of the API. */
  readonly apiUrl: string;
}

export function keySecretPage(here: WorkView, { key, apiUrl }: KeySecret): Html {
  const location = key.location_ids?.[0] ?? here.workplace.locations[0]?.id ?? 1;
  return work(here, {
    title: "Copy the key",
    at: "/keys",
    head: { title: "API keys", back: here.to("/keys") },
    content: html`
      <div class="page-head">
        <h1>Copy the key of ${isolatedName(key.name)} now</h1>
        <p>
          ${key.expires_at === null ? "It does not expire." : html`It works until ${day(here.zone, key.expires_at)}.`}
        </p>
      </div>
      ${secretOnce(here.site, {
        label: "API key",
        secret: key.key,
        example: {
          title: "Your first call",
          code: `curl "${apiUrl}/contacts?location_id=${location}" \\\n  -H "Authorization: Bearer ${key.key}"`,
        },
        done: here.to("/keys"),
      })}
    `,
  });
}

interface KeyConfirmation {
  readonly key: ApiKeyView;
  /** The one-time id of the form. */
  readonly once: string;
}

export function rotateKeyPage(here: WorkView, { key, once }: KeyConfirmation): Html {
  return confirmPage(here, {
    at: "/keys",
    above: { title: "API keys", path: "/keys" },
    title: html`Rotate ${isolatedName(key.name)}?`,
    text: html`The key that ends in <code>${key.last_four}</code> stops working at once. The new one is shown once, and
      has the same scopes, locations and expiry.`,
    details: factsOf(here, key),
    action: here.to(`/keys/${key.id}/rotate`),
    hidden: { once },
    button: "Rotate key",
    keep: "Keep it",
  });
}

export function revokeKeyPage(here: WorkView, { key }: Pick<KeyConfirmation, "key">): Html {
  return confirmPage(here, {
    at: "/keys",
    above: { title: "API keys", path: "/keys" },
    title: html`Revoke ${isolatedName(key.name)}?`,
    text: html`Programs that use the key that ends in <code>${key.last_four}</code> lose access at once. This cannot be
      undone: a new key has another secret.`,
    details: factsOf(here, key),
    action: here.to(`/keys/${key.id}/revoke`),
    button: "Revoke key",
    keep: "Keep it",
  });
}

function factsOf(here: WorkView, key: ApiKeyView): Html {
  return pairs([
    ["May do", summaryOf(key.scopes)],
    ["Where", reachOf(here, key.location_ids)],
    ["Created", day(here.zone, key.created_at)],
    ["Last used", key.last_used_at === null ? "Never" : dayAndTime(here.zone, key.last_used_at)],
    ["Expires", key.expires_at !== null && day(here.zone, key.expires_at)],
  ]);
}
