/** The operations of opportunities. */
import { z } from "zod";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { shownRecord } from "../../operation/shown-record.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import * as queries from "./opportunity.queries.ts";
import { opportunityInput, opportunityListQuery, opportunityPatch } from "./opportunity.schema.ts";
import * as service from "./opportunity.service.ts";
import { opportunityListView, opportunityView, toOpportunity } from "./opportunity.view.ts";

const opportunityRecord = shownRecord({
  gives: opportunityView,
  lock: (change, { opportunity }: { opportunity: number }) => service.lockOpportunity(change, opportunity),
  async read(reader, { opportunity }) {
    const row = await queries.findOpportunity(reader, opportunity);
    if (row === undefined) throw new Refusal("opportunity.not_found");
    return toOpportunity(row);
  },
});

export const listOpportunities = operation({
  name: "listOpportunities",
  summary: "Lists opportunities, newest first.",
  noun: "Opportunities",
  may: { scope: "opportunities.readonly", role: "member" },
  query: opportunityListQuery,
  gives: opportunityListView,
  read: async (reader, { query }) => await queries.listOpportunities(reader, query),
});

export const createOpportunity = operation({
  name: "createOpportunity",
  summary: "Creates an opportunity for a contact in a stage.",
  noun: "Opportunities",
  may: { scope: "opportunities.write", role: "member" },
  input: opportunityInput,
  record: opportunityRecord,
  gives: opportunityView,
  change: async (change, { input }) => toOpportunity(await service.createOpportunity(change, input)),
});

export const getOpportunity = operation({
  name: "getOpportunity",
  summary: "Returns an opportunity.",
  noun: "Opportunities",
  may: { scope: "opportunities.readonly", role: "member" },
  find: { opportunity: queries.findOpportunity },
  record: opportunityRecord,
  gives: opportunityView,
  read: async (_reader, { opportunity }) => toOpportunity(opportunity),
});

export const updateOpportunity = operation({
  name: "updateOpportunity",
  summary: "Updates the given fields of an opportunity, such as its stage.",
  noun: "Opportunities",
  may: { scope: "opportunities.write", role: "member" },
  find: { opportunity: lockedByChange(queries.findOpportunity) },
  input: opportunityPatch,
  record: opportunityRecord,
  gives: opportunityView,
  change: async (change, { opportunity, input }) =>
    toOpportunity(await service.updateOpportunity(change, opportunity.id, input)),
});

export const deleteOpportunity = operation({
  name: "deleteOpportunity",
  summary: "Deletes an opportunity.",
  noun: "Opportunities",
  may: { scope: "opportunities.write", role: "member" },
  find: { opportunity: lockedByChange(queries.findOpportunity) },
  input: z.object({}),
  record: opportunityRecord,
  gives: null,
  change: (change, { opportunity }) => service.deleteOpportunity(change, opportunity.id),
});
