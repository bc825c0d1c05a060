/** From a session and a path to a caller: the person in the workspace or the location of the path. */
import type { CallAs } from "../events/call-as.ts";
import type { Caller, LocationContext } from "../events/caller.ts";
import type { IncomingRequest } from "../http/request/incoming-request.ts";
import { toId } from "../kit/input/id.ts";
import { personCaller } from "../operation/callers.ts";
import { findVisibleLocation } from "../tenancy/locations/location.queries.ts";
import { takeNotice } from "../tenancy/sessions/session.service.ts";
import type { Session, SessionDeps, SessionNotice } from "../tenancy/sessions/session.service.ts";
import { findWorkplaces } from "../tenancy/users/workplace.queries.ts";
import type { WorkplaceView } from "../tenancy/users/workplace.queries.ts";
import { Refusal } from "../vocabulary/errors.ts";
import type { Site } from "./site.ts";

/** What the layout of a work page shows besides its content. */
export interface WorkView {
  readonly site: Site;
  readonly person: Session;
  readonly formToken: string;
  /** The workspace of the path. */
  readonly workplace: WorkplaceView;
  /** Every workspace of the person. */
  readonly workplaces: readonly WorkplaceView[];
  /** The location of the path; null on pages of the whole workspace. */
  readonly place: WorkplaceView["locations"][number] | null;
  /** The flash message of the form before. */
  readonly notice: SessionNotice | undefined;
  /** The IANA time zone of the times on the page: that of the location, or of the first one of the workspace. */
  readonly zone: string;
  /** The path of a page of the same workspace or location: `to("/keys")`. */
  to(path: `/${string}`): `/${string}`;
}

/** A person in a workspace or a location: what every work page is called with. */
export interface AsPerson<Where extends LocationContext | null = null> extends WorkView {
  /** For operations: its role and locations are those of the membership. */
  readonly caller: Caller<Where>;
}

export interface AsPersonDeps extends SessionDeps {
  readonly site: Site;
  readonly callAs: CallAs;
}

interface SignedIn {
  readonly session: Session;
  readonly formToken: string;
}

/** The person in the workspace `{workspace}` of the path. Refuses `route.not_found` for one without a membership. */
export async function asPersonInWorkspace(
  deps: AsPersonDeps,
  visit: SignedIn,
  request: IncomingRequest,
): Promise<AsPerson> {
  const workplaces = await findWorkplaces(deps.database, visit.session.userId);
  const id = toId(request.parameters["workspace"]);
  const workplace = workplaces.find((one) => one.id === id);
  if (workplace === undefined) throw new Refusal("route.not_found");
  const view = await toView(deps, visit, request, { workplaces, workplace, place: null });
  return { ...view, caller: deps.callAs({ ...personCaller(visit.session, workplace), address: request.address }) };
}

/** The person in the location `{location}` of the path. Refuses `route.not_found` for one without access to it. */
export async function asPersonInLocation(
  deps: AsPersonDeps,
  visit: SignedIn,
  request: IncomingRequest,
): Promise<AsPerson<LocationContext>> {
  const workplaces = await findWorkplaces(deps.database, visit.session.userId);
  const id = toId(request.parameters["location"]);
  const workplace = workplaces.find(({ locations }) => locations.some((one) => one.id === id));
  const place = workplace?.locations.find((one) => one.id === id);
  if (workplace === undefined || place === undefined) throw new Refusal("route.not_found");
  const identity = personCaller(visit.session, workplace);
  const location = await findVisibleLocation(deps.database, workplace.id, identity.locationIds, place.id);
  if (location === undefined) throw new Refusal("route.not_found");
  const view = await toView(deps, visit, request, { workplaces, workplace, place });
  return { ...view, caller: deps.callAs({ ...identity, location, address: request.address }) };
}

/**
 * Whether a person sees the whole page: HEAD shows nothing, a form leads to a page, and live pages ask for a part of it. None of them
 * consumes the message.
 */
function isNavigation(request: IncomingRequest): boolean {
  return (
    request.method === "GET" &&
    request.header("sec-fetch-dest") !== "empty" &&
    request.header("accept") !== "text/event-stream"
  );
}

async function toView(
  deps: AsPersonDeps,
  { session, formToken }: SignedIn,
  request: IncomingRequest,
  where: Pick<WorkView, "workplaces" | "workplace" | "place">,
): Promise<WorkView> {
  const { site } = deps;
  const { workplace, place } = where;
  const base = place === null ? `/w/${workplace.id}` : `/l/${place.id}`;
  return {
    site,
    person: session,
    formToken,
    ...where,
    notice: isNavigation(request) ? await takeNotice(deps, session) : undefined,
    zone: (place ?? workplace.locations[0])?.timezone ?? "UTC",
    to: (path) => site.path(`${base as `/${string}`}${path}`),
  };
}
