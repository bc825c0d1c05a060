/** The page that shows, once, the secret by which a receiver verifies what it is sent. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import type { WorkView } from "../as-person.ts";
import type { RailPath } from "../layout/rail.ts";
import { work } from "../layout/work.ts";
import { secretOnce } from "../parts/secret-once.ts";
import { dayAndTime } from "../parts/times.ts";

/** The record that signs: where such records are listed, and the words of the page. */
interface Signer {
  readonly at: RailPath;
  readonly list: string;
  /** Such as `Secret of the webhook`. */
  readonly label: string;
  /** What is signed, such as `every delivery`. */
  readonly signs: string;
}

export interface NewSigningSecret {
  readonly id: number;
  readonly secret: string;
  /** Until when the old one also signs. */
  readonly old_secret_until?: string | null;
}

export function signingSecretPage(
  here: WorkView,
  { at, list, label, signs }: Signer,
  { id, secret, old_secret_until: oldUntil = null }: NewSigningSecret,
): Html {
  return work(here, {
    title: "Copy the secret",
    at,
    head: { title: list, back: here.to(at) },
    content: html`
      <div class="page-head">
        <h1>Copy the secret now</h1>
        <p>
          It signs ${signs}, so that your server can tell them from forged ones.
          ${oldUntil !== null && html`The old one also signs until ${dayAndTime(here.zone, oldUntil)}.`}
        </p>
      </div>
      ${secretOnce(here.site, { label, secret, done: here.to(`${at}/${id}`) })}
    `,
  });
}
