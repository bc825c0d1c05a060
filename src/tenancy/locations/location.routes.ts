/** The endpoint of locations (specification, "Locations"). */
import { endpoint, reply } from "../../http/endpoint.ts";
import { listLocations } from "./location.queries.ts";
import { locationListView } from "./location.view.ts";

export const locationRoutes = [
  endpoint({
    method: "GET",
    path: "/locations",
    operationId: "listLocations",
    summary: "Lists the locations that the credential may see.",
    tag: "Locations",
    within: "workspace",
    // Any valid credential: without the ids of its locations it could ask for nothing else.
    scope: null,
    replies: { 200: locationListView },
    read: async (reader) => reply(200, { data: await listLocations(reader) }),
  }),
];
