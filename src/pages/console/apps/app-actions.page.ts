/** The pages of one app: its secret once, and the confirmations of publishing, a rotation and an uninstall. */
import type { AppView, NewAppView } from "../../../marketplace/apps/app.view.ts";
import type { InstallView } from "../../../marketplace/installs/install.view.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { isolatedName } from "../../parts/name.ts";
import { pairs } from "../../parts/pairs.ts";
import { secretOnce } from "../../parts/secret-once.ts";
import { confirmPage } from "../confirm.page.ts";
import { icon } from "../../parts/icon.ts";

export function appSecretPage(here: WorkView, app: NewAppView): Html {
  return work(here, {
    title: "Copy the client secret",
    at: "/apps",
    head: { title: "Apps", back: here.to("/apps") },
    content: html`
      <div class="page-head"><h1>Copy the client secret of ${isolatedName(app.name)} now</h1></div>
      ${pairs([["Client id", html`<code>${app.client_id}</code>`]])}
      ${
        app.webhook_secret !== undefined &&
        pairs([["Webhook secret", html`<code>${app.webhook_secret}</code>, which signs every delivery`]])
      }
      ${secretOnce(here.site, { label: "Client secret", secret: app.client_secret, done: here.to(`/apps/${app.id}`) })}
    `,
  });
}

export function appWebhookSecretPage(here: WorkView, { app, secret }: { app: AppView; secret: string }): Html {
  return work(here, {
    title: "Copy the webhook secret",
    at: "/apps",
    head: { title: "Apps", back: here.to("/apps") },
    content: html`
      <div class="page-head">
        <h1>${isolatedName(app.name)} is saved: copy the secret of its webhook now</h1>
        <p>It signs every delivery, so that your server can tell them from forged ones.</p>
      </div>
      ${secretOnce(here.site, { label: "Webhook secret", secret, done: here.to(`/apps/${app.id}`) })}
    `,
  });
}

export function publishAppPage(here: WorkView, app: AppView): Html {
  return confirmPage(here, {
    at: "/apps",
    above: { title: "App", path: `/apps/${app.id}` },
    title: html`Publish ${isolatedName(app.name)}?`,
    text: "Every workspace can then install it. A published app keeps its billing by monthly price.",
    action: here.to(`/apps/${app.id}/publish`),
    button: "Publish app",
    kind: "primary",
    keep: "Keep the draft",
  });
}

interface SecretRotation {
  readonly app: AppView;
  /** The one-time id of the form. */
  readonly once: string;
}

export function rotateAppSecretPage(here: WorkView, { app, once }: SecretRotation): Html {
  return confirmPage(here, {
    at: "/apps",
    above: { title: "App", path: `/apps/${app.id}` },
    title: html`Rotate the client secret of ${isolatedName(app.name)}?`,
    text: html`The secret that ends in <code>${app.secret_last_four}</code> is refused at once; tokens stay valid. The
      new one is shown once.`,
    action: here.to(`/apps/${app.id}/rotate`),
    hidden: { once },
    button: "Rotate secret",
    keep: "Keep it",
  });
}

export function uninstallAppPage(here: WorkView, { id, app, location }: InstallView): Html {
  return confirmPage(here, {
    at: "/apps",
    above: { title: "Installed apps", path: "/apps/installed" },
    title: html`Uninstall ${isolatedName(app.name)}?`,
    text: html`It loses its access to ${isolatedName(location.name)} at once, and its webhooks there are removed. What
    it wrote stays.`,
    action: here.to(`/apps/installed/${id}/uninstall`),
    button: "Uninstall",
    keep: "Keep it",
  });
}

interface AccountPage {
  readonly app: AppView;
  readonly account: {
    readonly charges_enabled: boolean;
    readonly payouts_enabled: boolean;
    readonly missing: readonly string[];
    /** Where Stripe asks for the rest; works once. */
    readonly url: string;
  };
}

/** A link instead of a redirect: the policy for forms allows no other origin. */
export function appAccountPage(here: WorkView, { app, account }: AccountPage): Html {
  const isComplete = account.charges_enabled && account.payouts_enabled;
  return work(here, {
    title: "Payouts at Stripe",
    at: "/apps",
    head: { title: isolatedName(app.name), back: here.to(`/apps/${app.id}`) },
    content: html`
      <div class="page-head">
        <h1>${isComplete ? "Payouts are set up" : "Complete the account at Stripe"}</h1>
        <p>
          ${isComplete ? "Stripe has what it needs." : "Stripe asks for the rest. Its page opens once, within some minutes."}
        </p>
      </div>
      ${pairs([
        ["Charges", account.charges_enabled ? "Enabled" : "Not yet"],
        ["Payouts", account.payouts_enabled ? "Enabled" : "Not yet"],
        ["Missing", account.missing.slice(0, 20).join(", ")],
      ])}
      <div class="buttons">
        <a class="button primary" href="${account.url}">${icon(here.site, "external-link")} Continue at Stripe</a>
        <a class="button" href="${here.to(`/apps/${app.id}`)}">Back to the app</a>
      </div>
    `,
  });
}
