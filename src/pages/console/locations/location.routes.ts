/** Locations: the list, a new one, and changes. */
import { randomUUID } from "node:crypto";
import { createLocation } from "../../../crm/pipelines/open-location.operations.ts";
import type { Route } from "../../../http/route.ts";
import { toId } from "../../../kit/input/id.ts";
import { carryOut } from "../../../operation/carry-out.ts";
import { getLocation, updateLocation } from "../../../tenancy/locations/location.operations.ts";
import { keepNotice } from "../../../tenancy/sessions/session.service.ts";
import type { NoticeText } from "../../../tenancy/sessions/session.service.ts";
import type { AsPerson } from "../../as-person.ts";
import { pageAnswer, redirectAnswer } from "../../page-answer.ts";
import { workRoutes } from "../../work.route.ts";
import { submit, submitOnce } from "../forms.ts";
import type { ConsoleDeps } from "../console-deps.ts";
import { pathId } from "../path-id.ts";
import { locationFormPage } from "./location-form.page.ts";
import { locationListPage } from "./location-list.page.ts";
import { emptyLocation, readLocationForm, toLocationForm } from "./location.form.ts";

/** Locations per page. */
const limit = 25;

export function locationRoutes(deps: ConsoleDeps): Route[] {
  const { operating } = deps;
  const { shown, sent } = workRoutes(deps).inWorkspace;
  const may = getLocation;
  const locationOf = (here: AsPerson, location: number) => carryOut(getLocation, here.caller, { location }, operating);

  async function toList(here: AsPerson, title: NoticeText, text: NoticeText) {
    await keepNotice(deps, here.person, { kind: "ok", title, text });
    return redirectAnswer(here.to("/locations"));
  }

  return [
    shown({
      path: "/locations",
      summary: "The locations of a workspace.",
      may,
      async show(here, { query }) {
        const after = toId(query.get("after") ?? undefined) ?? 0;
        // Every work page has read them already, oldest first.
        const rest = here.workplace.locations.filter(({ id }) => id > after);
        const locations = rest.slice(0, limit);
        const nextAfter = rest.length > limit ? locations.at(-1)!.id : null;
        return locationListPage(here, { locations, isContinued: after > 0, nextAfter });
      },
    }),
    shown({
      path: "/locations/new",
      summary: "The form of a new location.",
      may,
      async show(here) {
        const [first] = here.workplace.locations;
        const like = first && (await locationOf(here, first.id));
        return locationFormPage(here, { location: undefined, typed: emptyLocation(like), once: randomUUID() });
      },
    }),
    sent({
      path: "/locations/new",
      summary: "Creates a location, once.",
      may,
      async take(here, _request, fields) {
        const typed = readLocationForm(fields);
        const once = fields.get("once") ?? "";
        const result = await submitOnce(createLocation, here.caller, { input: typed }, operating, once);
        // A location cannot be removed: a double click must not create two.
        if (result === undefined) return redirectAnswer(here.to("/locations"));
        if ("faults" in result) {
          return pageAnswer(422, locationFormPage(here, { location: undefined, typed, once, faults: result.faults }));
        }
        return toList(here, [{ name: result.body.name }, " is created"], ["It has a pipeline to begin with."]);
      },
    }),
    shown({
      path: "/locations/{location}",
      summary: "The form of a location.",
      may,
      async show(here, request) {
        const location = await locationOf(here, pathId(request, "location"));
        return locationFormPage(here, { location, typed: toLocationForm(location) });
      },
    }),
    sent({
      path: "/locations/{location}",
      summary: "Changes a location.",
      may,
      async take(here, request, fields) {
        const location = await locationOf(here, pathId(request, "location"));
        const typed = readLocationForm(fields);
        const args = { location: location.id, input: typed };
        const result = await submit(updateLocation, here.caller, args, operating);
        if ("faults" in result) {
          return pageAnswer(422, locationFormPage(here, { location, typed, faults: result.faults }));
        }
        return toList(here, [{ name: result.body.name }, " is saved"], ["Its name and time zone apply at once."]);
      },
    }),
  ];
}
