/** The operation that creates a location. It is in this folder because a new location gets a default pipeline. */
import { operation } from "../../operation/operation.ts";
import { locationInput } from "../../tenancy/locations/location.schema.ts";
import { locationView } from "../../tenancy/locations/location.view.ts";
import { openLocation } from "./open-location.service.ts";

export const createLocation = operation({
  name: "createLocation",
  summary: "Creates a location with a default pipeline.",
  noun: "Locations",
  within: "workspace",
  may: { scope: "none", role: "owner" },
  input: locationInput,
  gives: locationView,
  audit: ({ id }) => ({ noun: "location", id }),
  change: (change, { input }) => openLocation(change, input),
});
