/** The query parameters of the ledger. */
import { filledText, filterId } from "../../../kit/input/fields.ts";
import { pageQuery } from "../../../kit/page-shapes.ts";

export const ledgerQuery = pageQuery.extend({
  app: filledText().describe("The client id of the app that the reports are of."),
  paying_location_id: filterId().describe("The location that pays for itself; it may be one of another workspace."),
});
