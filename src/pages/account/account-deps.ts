/** What the routes of signing in depend on. */
import type { ForgottenPasswords } from "../../tenancy/invitations/forgotten-password.ts";
import type { BeginCode, BeginSignIn, LimitAttempts } from "../../tenancy/sessions/attempts.ts";
import type { KnownBrowsers } from "../../tenancy/sessions/known-browser.ts";
import type { SignInDeps } from "../../tenancy/sessions/sign-in.service.ts";
import type { MailSecondFactor } from "../../tenancy/two-factor/second-factor-mail.ts";
import type { PageRouteDeps } from "../page.route.ts";

/** For signing a browser in. */
export interface SignedInDeps extends PageRouteDeps, SignInDeps {
  readonly browsers: KnownBrowsers;
}

/** Rate limits of attempts. */
export interface Attempts {
  readonly signIn: BeginSignIn;
  readonly code: BeginCode;
  readonly link: LimitAttempts;
  /** Counts a wrong password or code, for /metrics. */
  readonly failed: (factor: "password" | "code") => void;
}

/** Dependencies of the sign-in routes. */
export interface AccountRouteDeps extends SignedInDeps {
  readonly attempts: Attempts;
  readonly mailSecondFactor: MailSecondFactor;
  /** Without it, links are created in the terminal. */
  readonly forgotten: ForgottenPasswords | undefined;
  /** The app that a local URL, started by the app, continues to, and the form's redirect target if it is external. */
  readonly appBehind: (path: string) => Promise<{ readonly name: string; readonly formAction?: string } | undefined>;
}
