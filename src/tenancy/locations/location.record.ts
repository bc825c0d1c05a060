/** The record that changes of a location require the state of. */
import type { Change } from "../../events/caller.ts";
import { shownRecord } from "../../operation/shown-record.ts";
import * as queries from "./location.queries.ts";
import * as service from "./location.service.ts";
import { locationView } from "./location.view.ts";

export const locationRecord = shownRecord({
  gives: locationView,
  lock: (change: Change, { location }: { location: number }) => service.lockLocation(change, location),
  read: (reader, { location }) => queries.getLocationView(reader, location),
});
