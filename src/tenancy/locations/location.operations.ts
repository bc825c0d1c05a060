/** The operations of locations (specification, "Locations"). */
import type { Reader } from "../../events/caller.ts";
import { operation } from "../../operation/operation.ts";
import * as queries from "./location.queries.ts";
import { locationRecord } from "./location.record.ts";
import { locationPatch } from "./location.schema.ts";
import * as service from "./location.service.ts";
import { locationListView, locationSettingsView, locationView } from "./location.view.ts";

export const updateLocation = operation({
  name: "updateLocation",
  summary: "Updates the given fields of a location.",
  noun: "Locations",
  within: "workspace",
  may: { scope: "locations.write", role: "owner" },
  find: {
    // Looked up at once: the change itself locks by the workspace, and knows nothing of the caller's reach.
    location: (reader: Reader, id: number) =>
      queries.findVisibleLocation(reader, reader.workspaceId, reader.locationIds, id),
  },
  input: locationPatch,
  record: locationRecord,
  gives: locationView,
  audit: "found",
  change: (change, { location, input }) => service.updateLocation(change, location.id, input),
});

export const getLocation = operation({
  name: "getLocation",
  summary: "Shows a location with its country, for the page that changes it.",
  noun: "Locations",
  within: "workspace",
  may: { scope: "none", role: "owner" },
  find: { location: queries.findLocationSettings },
  gives: locationSettingsView,
  read: async (_reader, { location }) => location,
});

export const listLocations = operation({
  name: "listLocations",
  summary: "Lists the locations that the credential has access to.",
  noun: "Locations",
  within: "workspace",
  // Any valid credential: every other request needs a location id from this list.
  may: { scope: "any", role: "member" },
  gives: locationListView,
  read: async (reader) => ({ data: await queries.listLocations(reader) }),
});
