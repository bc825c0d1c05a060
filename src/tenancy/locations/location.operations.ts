/** The operations of locations (specification, "Locations"). */
import { operation } from "../../operation/operation.ts";
import * as queries from "./location.queries.ts";
import { locationListView } from "./location.view.ts";

export const listLocations = operation({
  name: "listLocations",
  summary: "Lists the locations that the credential may see.",
  noun: "Locations",
  within: "workspace",
  // Any valid credential: without the ids of its locations it could ask for nothing else.
  may: { scope: "any", role: "member" },
  gives: locationListView,
  read: async (reader) => ({ data: await queries.listLocations(reader) }),
});
