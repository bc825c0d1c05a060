/** What is told of locations. */
import { defineEvent } from "../../events/define-event.ts";
import { locationView } from "./location.view.ts";

const specimen = {
  id: 1,
  name: "Main Street",
  address1: "1 Main Street",
  city: "Springfield",
  state: "NY",
  zip: "10001",
  phone_public: "(212) 555-0142",
  timezone: "America/New_York",
  website: "https://example.com",
};

export const locationCreated = defineEvent("location.created", locationView, specimen);

export const locationUpdated = defineEvent("location.updated", locationView, {
  ...specimen,
  changes: [{ field: "city", old: "", new: "Springfield" }],
});
