/** The events of locations. */
import { defineEvent } from "../../events/define-event.ts";
import { locationSpecimen, locationView } from "./location.view.ts";

export const locationCreated = defineEvent("location.created", locationView, locationSpecimen, "nothing");

export const locationUpdated = defineEvent(
  "location.updated",
  locationView,
  { ...locationSpecimen, changes: [{ field: "city", old: "", new: "Springfield" }] },
  "changes",
);
