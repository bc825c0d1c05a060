/** /me/two-factor: sets up, shows and turns off one's second factor, and renews its recovery codes. */
import type { WholeResponse } from "../../http/http-response.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import type { Route } from "../../http/route.ts";
import { requireOwnPassword } from "../../tenancy/passwords/own-password.service.ts";
import { keepNotice } from "../../tenancy/sessions/session.service.ts";
import {
  findSecondFactor,
  findWithheldWorkspaces,
  hasSecondFactor,
} from "../../tenancy/two-factor/second-factor.queries.ts";
import { renewRecoveryCodes, turnOff, turnOn } from "../../tenancy/two-factor/second-factor.service.ts";
import { mintTotpSecret } from "../../tenancy/two-factor/totp.ts";
import { readContinue } from "../account/signed-in.ts";
import { pageAnswer, redirectAnswer } from "../page-answer.ts";
import { holderOf, beginCode, beginPassword, meRoutes, orAgain } from "./me.route.ts";
import type { Me, MeRouteDeps, PageFaults } from "./me.route.ts";
import { recoveryCodesPage, renewCodesPage, secondFactorPage, setUpPage, turnOffPage } from "./two-factor.page.ts";

export function twoFactorRoutes(deps: MeRouteDeps): Route[] {
  const { site, database, vault, mailSecondFactor } = deps;
  const { shown, sent } = meRoutes(deps);
  const path = "/me/two-factor";

  /** Before it is on, a secret exists in the form alone: sealed, for this session. */
  async function setUp({ session, formToken }: Me, secret: string, continueTo: string, faults?: PageFaults) {
    const withheld = await findWithheldWorkspaces(database, session.userId);
    const sealed = vault.seal(secret, setUpContext(session.id));
    const page = setUpPage(site, { formToken, person: session, secret, sealed, continueTo, withheld, faults });
    return pageAnswer(faults === undefined ? 200 : 422, page, { showsSecret: true });
  }

  function openSetUp(sealed: string | null, { session }: Me): string | undefined {
    try {
      return vault.open(sealed ?? "", setUpContext(session.id));
    } catch {
      return undefined;
    }
  }

  async function requirePassword(me: Me, request: IncomingRequest, fields: URLSearchParams): Promise<void> {
    const succeeded = await beginPassword(deps, me, request);
    await requireOwnPassword(deps, me.session.userId, fields.get("password") ?? "", "password");
    await succeeded();
  }

  /** A page about what is on; while it is off, the page to set it up. */
  async function whileOn({ session, formToken }: Me, page: typeof turnOffPage): Promise<WholeResponse> {
    if (!(await hasSecondFactor(database, session.userId))) return redirectAnswer(site.path(path));
    return pageAnswer(200, page(site, { formToken }));
  }

  return [
    shown({
      path,
      summary: "One's second factor, or the page to set it up.",
      async show(me, { query }) {
        const factor = await findSecondFactor(database, me.session.userId);
        if (factor !== undefined) return pageAnswer(200, secondFactorPage(site, factor));
        return setUp(me, mintTotpSecret(), readContinue(query.get("continue")));
      },
    }),
    sent({
      path,
      summary: "Turns two-factor sign-in on, with password and code.",
      async take(me, request, fields) {
        const continueTo = readContinue(fields.get("continue"));
        const secret = openSetUp(fields.get("setup"), me);
        if (secret === undefined) return redirectAnswer(site.path(path));
        return orAgain(
          async () => {
            await requirePassword(me, request, fields);
            const codes = await turnOn(deps, holderOf(me, request), { secret, code: fields.get("code") ?? "" });
            // Another tab was first: its secret counts.
            if (codes === undefined) return redirectAnswer(site.path(path));
            mailSecondFactor("on", me.session);
            const title = "Two-factor sign-in is on";
            return pageAnswer(200, recoveryCodesPage(site, { codes, continueTo, title }), { showsSecret: true });
          },
          (faults) => setUp(me, secret, continueTo, faults),
        );
      },
    }),
    shown({
      path: "/me/two-factor/off",
      summary: "Asks for password and code before two-factor sign-in is turned off.",
      show: (me) => whileOn(me, turnOffPage),
    }),
    sent({
      path: "/me/two-factor/off",
      summary: "Turns two-factor sign-in off.",
      async take(me, request, fields) {
        return orAgain(
          async () => {
            await requirePassword(me, request, fields);
            const succeeded = await beginCode(deps, me, request);
            await turnOff(deps, holderOf(me, request), fields.get("code") ?? "");
            await succeeded();
            mailSecondFactor("off", me.session);
            const text = ["Your password alone signs you in."];
            await keepNotice(deps, me.session, { kind: "ok", title: ["Two-factor sign-in is off"], text });
            return redirectAnswer(site.path("/me"));
          },
          async (faults) => pageAnswer(422, turnOffPage(site, { formToken: me.formToken, faults })),
        );
      },
    }),
    shown({
      path: "/me/two-factor/recovery-codes",
      summary: "Asks for a code before the recovery codes are replaced.",
      show: (me) => whileOn(me, renewCodesPage),
    }),
    sent({
      path: "/me/two-factor/recovery-codes",
      summary: "Replaces the recovery codes and shows the new ones once.",
      async take(me, request, fields) {
        return orAgain(
          async () => {
            const succeeded = await beginCode(deps, me, request);
            const codes = await renewRecoveryCodes(deps, holderOf(me, request), fields.get("code") ?? "");
            await succeeded();
            mailSecondFactor("renewed", me.session);
            const title = "New recovery codes";
            return pageAnswer(200, recoveryCodesPage(site, { codes, continueTo: path, title }), { showsSecret: true });
          },
          async (faults) => pageAnswer(422, renewCodesPage(site, { formToken: me.formToken, faults })),
        );
      },
    }),
  ];
}

function setUpContext(sessionId: number): string {
  return `second factor to be set up in session ${sessionId}`;
}
