/** The start page of a signed-in person, and uninstalling apps. */
import type { HttpResponse } from "../../http/http-response.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import type { Route } from "../../http/route.ts";
import type { CallAs } from "../../events/call-as.ts";
import { personCaller } from "../../operation/callers.ts";
import { carryOut } from "../../operation/carry-out.ts";
import type { OperationDeps } from "../../operation/carry-out.ts";
import { mayCarryOut } from "../../operation/permission.ts";
import { toId } from "../../kit/input/id.ts";
import { uninstallApp } from "../../marketplace/installs/install.operations.ts";
import { findInstallsIn } from "../../marketplace/installs/install.queries.ts";
import type { InstallView } from "../../marketplace/installs/install.view.ts";
import { findInstallPayments } from "../../marketplace/billing/platform/install-payment.queries.ts";
import { openPortal } from "../../marketplace/billing/platform/portal.service.ts";
import { keepNotice, takeNotice } from "../../tenancy/sessions/session.service.ts";
import type { Session } from "../../tenancy/sessions/session.service.ts";
import { findWithheldWorkspaces } from "../../tenancy/two-factor/second-factor.queries.ts";
import { findWorkplaces } from "../../tenancy/users/workplace.queries.ts";
import type { WorkplaceView } from "../../tenancy/users/workplace.queries.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { platformDepsOf } from "../consent/checkout-step.ts";
import type { CheckoutDeps } from "../consent/checkout-step.ts";
import { pageAnswer, redirectAnswer } from "../page-answer.ts";
import { pageRoutes } from "../page.route.ts";
import type { PageRouteDeps } from "../page.route.ts";
import type { Visit } from "../visit.ts";
import { homePage, uninstallPage } from "./home.page.ts";

export interface HomeRouteDeps extends PageRouteDeps, CheckoutDeps {
  readonly callAs: CallAs;
  /** Dependencies of operations. */
  readonly operating: OperationDeps;
}

/** The start page of a signed-in person. */
export async function showHome(
  deps: HomeRouteDeps,
  { session, formToken }: Pick<Visit, "formToken"> & { readonly session: Session },
  request: IncomingRequest,
): Promise<HttpResponse> {
  const workplaces = await findWorkplaces(deps.database, session.userId);
  const locationIds = locationsOf(workplaces);
  const installs = await findInstallsIn(deps.database, locationIds);
  const payments = deps.stripe === null ? new Map() : await findInstallPayments(deps.database, locationIds);
  // A HEAD shows nothing, so it must not consume the message.
  const told = request.method === "GET" ? await takeNotice(deps, session) : undefined;
  const shownAt = { now: deps.clock.now(), payments };
  const withheld = await findWithheldWorkspaces(deps.database, session.userId);
  const page = homePage(deps.site, { formToken, person: session, workplaces, withheld, installs, told, ...shownAt });
  return pageAnswer(200, page);
}

export function homeRoutes(deps: HomeRouteDeps): Route[] {
  const { site, database, callAs, operating } = deps;
  const { shown, sent } = pageRoutes(deps);

  /** The install of the path, if the person may uninstall it; refuses `route.not_found` for any other. */
  async function getOwn(session: Session | undefined, request: IncomingRequest): Promise<[InstallView, WorkplaceView]> {
    const workplaces = session === undefined ? [] : await findWorkplaces(database, session.userId);
    const mine = workplaces.filter(({ role }) => mayCarryOut(uninstallApp, role));
    const installs = await findInstallsIn(database, locationsOf(mine));
    const install = installs.find(({ id }) => id === toId(request.parameters["install"]));
    const workplace = mine.find(({ locations }) => locations.some(({ id }) => id === install?.location.id));
    if (install === undefined || workplace === undefined) throw new Refusal("route.not_found");
    return [install, workplace];
  }

  return [
    shown({
      path: "/apps/{install}/uninstall",
      summary: "Asks for confirmation before an app is uninstalled.",
      async show({ session, formToken }, request) {
        if (session === undefined) return redirectAnswer(site.path("/sign-in"));
        const [install] = await getOwn(session, request);
        return pageAnswer(200, uninstallPage(site, { formToken, person: session, install }));
      },
    }),
    shown({
      path: "/apps/{install}/billing",
      summary: "Sends the payer of an app to Stripe's customer portal.",
      writes: true,
      async show({ session }, request) {
        if (session === undefined) return redirectAnswer(site.path("/sign-in"));
        const [install] = await getOwn(session, request);
        const url = deps.stripe && (await openPortal(platformDepsOf(deps), install.id, deps.links.to("/")));
        if (!url) throw new Refusal("route.not_found");
        return redirectAnswer(url);
      },
    }),
    sent({
      path: "/apps/{install}/uninstall",
      summary: "Uninstalls an app from a location.",
      async take({ session }, request) {
        if (session === undefined) return redirectAnswer(site.path("/sign-in"));
        const [install, workplace] = await getOwn(session, request);
        const caller = callAs({ ...personCaller(session, workplace), address: request.address });
        const { app, location } = await carryOut(uninstallApp, caller, { install: install.id }, operating);
        await keepNotice(deps, session, {
          kind: "ok",
          title: [{ name: app.name }, " is uninstalled"],
          text: ["It no longer has access to ", { name: location.name }, "."],
        });
        return redirectAnswer(site.path("/"));
      },
    }),
  ];
}

function locationsOf(workplaces: readonly WorkplaceView[]): number[] {
  return workplaces.flatMap(({ locations }) => locations.map(({ id }) => id));
}
