/** Creates a location with its default pipeline. */
import type { Change } from "../../events/caller.ts";
import type { LocationInput } from "../../tenancy/locations/location.schema.ts";
import { createLocation } from "../../tenancy/locations/location.service.ts";
import type { LocationView } from "../../tenancy/locations/location.view.ts";
import { createDefaultPipeline } from "./pipeline.service.ts";

/** Raises location.created. */
export function openLocation(change: Change, input: LocationInput): Promise<LocationView> {
  return createLocation(change, input, createDefaultPipeline);
}
