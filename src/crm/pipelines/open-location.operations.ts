/** The operation that creates a location. It is in this folder because a new location gets a default pipeline. */
import { requireEveryLocation } from "../../operation/grant-limits.ts";
import { operation } from "../../operation/operation.ts";
import { locationRecord } from "../../tenancy/locations/location.record.ts";
import { locationInput } from "../../tenancy/locations/location.schema.ts";
import { locationView } from "../../tenancy/locations/location.view.ts";
import { openLocation } from "./open-location.service.ts";

export const createLocation = operation({
  name: "createLocation",
  summary: "Creates a location with a default pipeline.",
  noun: "Locations",
  within: "workspace",
  may: { scope: "locations.write", role: "owner" },
  input: locationInput,
  record: locationRecord,
  gives: locationView,
  audit: ({ id }) => ({ noun: "location", id }),
  async change(change, { input }) {
    // A credential that is limited to some locations would create one that it cannot see.
    requireEveryLocation(change, { what: "New locations", scope: "locations.write" });
    return openLocation(change, input);
  },
});
