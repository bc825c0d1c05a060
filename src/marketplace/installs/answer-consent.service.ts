/** What becomes of a person's answer to an app: the app as it is now, the place, the payment and the code, in one transaction. */
import type { Links } from "../../kit/links.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { missingScopes } from "../../operation/grant-limits.ts";
import { rightsOf } from "../../operation/roles.ts";
import type { Database } from "../../storage/database.ts";
import type { Writer } from "../../storage/rows.ts";
import type { Session } from "../../tenancy/sessions/session.service.ts";
import { requireProcessor } from "../apps/app.billing.ts";
import { judgeAgain, toRedirect } from "../oauth/authorization-request.ts";
import { lockClientOf } from "../oauth/client.queries.ts";
import type { Client } from "../oauth/client.queries.ts";
import { OauthError } from "../oauth/oauth-error.ts";
import { issuerOf } from "../oauth/oauth.routes.ts";
import { lockGrantableLocation } from "./consent.queries.ts";
import type { GrantablePlace } from "./consent.queries.ts";
import { allow, markAnswered } from "./consent.service.ts";
import type { HeldRequest } from "./consent.service.ts";
import { markFinished, sendToPayment } from "./pending-install.service.ts";
import type { PendingInstall } from "./pending-install.service.ts";

export interface InstallDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly links: Links;
}

interface ConsentDecision {
  readonly session: Session;
  readonly held: HeldRequest;
  readonly isAllowed: boolean;
  /** The place that was chosen; undefined for none. */
  readonly locationId: number | undefined;
}

/**
 * Where an answer leads: an address, the client that asks on where no place was chosen, or nowhere, since it was answered already. What
 * is asked is judged by the app as it is now, and against what the person holds at the place. Throws Untrusted and OauthError.
 */
export function answerConsent(deps: InstallDeps, answer: ConsentDecision): Promise<string | Client | undefined> {
  const [issuer, now] = [issuerOf(deps.links), deps.clock.now()];
  return deps.database.transaction(async (change: Writer) => {
    const { session, held, isAllowed, locationId } = answer;
    const client = await lockClientOf(change, held.appId);
    if (client === undefined) return undefined;
    judgeAgain(client, held);
    if (!isAllowed) {
      const error = new OauthError("access_denied", "The person did not allow it.");
      return (await markAnswered(change, held, now)) ? toRedirect(held, issuer, { error }) : undefined;
    }
    requireProcessor(client);
    const place = await lockGrantableLocation(change, session.userId, client, locationId);
    if (place === undefined) return client;
    requireGivable(place, held);
    if (!(await markAnswered(change, held, now))) return undefined;
    const payment = await sendToPayment(change, { client, held, session, place }, { links: deps.links, now });
    return payment ?? toRedirect(held, issuer, { code: await allow(change, held, { session, place, now }) });
  });
}

/**
 * The way on to the app after a payment, with a code; undefined where another request came first. A day is long: everything is judged again
 * as it is now. Throws Untrusted and OauthError.
 */
export function finishInstall(
  { database, clock, links }: InstallDeps,
  { pending, session }: { readonly pending: PendingInstall; readonly session: Session },
): Promise<string | undefined> {
  const now = clock.now();
  return database.transaction(async (change: Writer) => {
    const client = await lockClientOf(change, pending.appId);
    if (client === undefined) return undefined;
    judgeAgain(client, pending);
    requireProcessor(client);
    const place = await lockGrantableLocation(change, session.userId, client, pending.locationId);
    if (place === undefined) throw new OauthError("access_denied", "The location was lost meanwhile.");
    requireGivable(place, pending);
    if (!(await markFinished(change, pending, now))) return undefined;
    return toRedirect(pending, issuerOf(links), { code: await allow(change, pending, { session, place, now }) });
  });
}

/** Nobody gives an app more than they hold themselves. */
function requireGivable({ role }: GrantablePlace, { scopes }: Pick<HeldRequest, "scopes">): void {
  const beyond = missingScopes(rightsOf[role], scopes);
  if (beyond.length > 0)
    throw new OauthError("access_denied", `The person does not hold what the app asks for: ${beyond.join(", ")}.`);
}
