/** /me and /me/sessions: one's own account. */
import { z } from "zod";
import type { WholeResponse } from "../../http/http-response.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import type { Route } from "../../http/route.ts";
import { toId } from "../../kit/input/id.ts";
import { readInput } from "../../kit/input/read-input.ts";
import { accountCaller } from "../../operation/callers.ts";
import { carryOut } from "../../operation/carry-out.ts";
import { changePassword } from "../../tenancy/passwords/own-password.service.ts";
import { newPassword } from "../../tenancy/passwords/password.schema.ts";
import { keepNotice, takeNotice } from "../../tenancy/sessions/session.service.ts";
import { endSessions, listSessions } from "../../tenancy/sessions/session.operations.ts";
import { findSecondFactor } from "../../tenancy/two-factor/second-factor.queries.ts";
import { updateAccount } from "../../tenancy/users/user.operations.ts";
import { pageAnswer, redirectAnswer } from "../page-answer.ts";
import { readTheme, themeChoices } from "../theme.ts";
import { themeCookie } from "../visit.ts";
import { mePage } from "./me.page.ts";
import { beginPassword, holderOf, meRoutes, orAgain } from "./me.route.ts";
import type { Me, MeRouteDeps } from "./me.route.ts";
import { sessionsPage } from "./sessions.page.ts";

export function accountPageRoutes(deps: MeRouteDeps): Route[] {
  const { site, database, callAs, operating } = deps;
  const { shown, sent } = meRoutes(deps);
  const callerOf = ({ session }: Me, { address }: IncomingRequest) => callAs({ ...accountCaller(session), address });

  async function showAccount(
    me: Me,
    request: IncomingRequest,
    status: number,
    more: Partial<Parameters<typeof mePage>[2]>,
  ): Promise<WholeResponse> {
    const [factor, sessions] = await Promise.all([
      findSecondFactor(database, me.session.userId),
      carryOut(listSessions, callerOf(me, request), {}, operating),
    ]);
    return pageAnswer(
      status,
      mePage(site, me, { factor, sessions: sessions.length, theme: readTheme(site, request), ...more }),
    );
  }

  async function showMe(me: Me, request: IncomingRequest): Promise<WholeResponse> {
    // A HEAD shows nothing, so it must not consume the message.
    return showAccount(me, request, 200, {
      notice: request.method === "GET" ? await takeNotice(deps, me.session) : undefined,
    });
  }

  return [
    shown({ path: "/me", summary: "One's own account.", show: showMe }),
    sent({
      path: "/me/name",
      summary: "Changes one's name.",
      take(me, request, fields) {
        const name = fields.get("name") ?? "";
        return orAgain(
          async () => {
            const { name: kept } = await carryOut(updateAccount, callerOf(me, request), { input: { name } }, operating);
            await keepNotice(deps, me.session, {
              kind: "ok",
              title: ["Name saved"],
              text: ["You are ", { name: kept }, "."],
            });
            return redirectAnswer(site.path("/me"));
          },
          (faults) => showAccount(me, request, 422, { name, faults }),
        );
      },
    }),
    sent({
      path: "/me/theme",
      summary: "Chooses the theme of this browser.",
      async take(me, request, fields) {
        const theme = themeChoices.find((one) => one === fields.get("theme"));
        if (theme === undefined) return showAccount(me, request, 422, { faults: { theme: "Choose a theme." } });
        await keepNotice(deps, me.session, { kind: "ok", title: ["Theme saved"], text: [] });
        return redirectAnswer(site.path("/me"), { "set-cookie": [themeCookie(site, theme)] });
      },
    }),
    sent({
      path: "/me/password",
      summary: "Changes one's password, and ends one's other sessions.",
      take(me, request, fields) {
        const current = fields.get("current_password") ?? "";
        const password = fields.get("password") ?? "";
        return orAgain(
          async () => {
            readInput(chosen, { password });
            const succeeded = await beginPassword(deps, me, request);
            await changePassword(deps, holderOf(me, request), { current, password });
            await succeeded();
            const text = ["You are signed out everywhere else."];
            await keepNotice(deps, me.session, { kind: "ok", title: ["Password changed"], text });
            return redirectAnswer(site.path("/me"));
          },
          (faults) => showAccount(me, request, 422, { faults }),
        );
      },
    }),
    shown({
      path: "/me/sessions",
      summary: "One's sessions.",
      async show(me, request) {
        return pageAnswer(
          200,
          sessionsPage(site, me, await carryOut(listSessions, callerOf(me, request), {}, operating)),
        );
      },
    }),
    sent({
      path: "/me/sessions",
      summary: "Ends one of one's sessions, or all but this one.",
      async take(me, request, fields) {
        const id = toId(fields.get("id"));
        const which = fields.has("id") ? { id } : { except: me.session.id };
        // What is no id is no session.
        if (!("id" in which) || id !== undefined)
          await carryOut(endSessions, callerOf(me, request), { input: which }, operating);
        return redirectAnswer(site.path("/me/sessions"));
      },
    }),
  ];
}

const chosen = z.object({ password: newPassword });
