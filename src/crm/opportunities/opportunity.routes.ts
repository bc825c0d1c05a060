/** The endpoints of opportunities. */
import { byId, endpoint, heldById, reply } from "../../http/endpoint.ts";
import { findOpportunity, listOpportunities } from "./opportunity.queries.ts";
import { opportunityInput, opportunityListQuery, opportunityPatch } from "./opportunity.schema.ts";
import { createOpportunity, updateOpportunity } from "./opportunity.service.ts";
import { opportunityListView, opportunityView, toOpportunity } from "./opportunity.view.ts";

export const opportunityRoutes = [
  endpoint({
    method: "GET",
    path: "/opportunities",
    operationId: "listOpportunities",
    summary: "Lists opportunities, newest first.",
    tag: "Opportunities",
    scope: "opportunities.readonly",
    query: opportunityListQuery,
    replies: { 200: opportunityListView },
    read: async (reader, { query }) => reply(200, await listOpportunities(reader, query)),
  }),
  endpoint({
    method: "POST",
    path: "/opportunities",
    operationId: "createOpportunity",
    summary: "Opens an opportunity of a contact in a stage.",
    tag: "Opportunities",
    scope: "opportunities.write",
    input: opportunityInput,
    replies: { 201: opportunityView },
    change: async (change, { input }) => reply(201, toOpportunity(await createOpportunity(change, input))),
  }),
  endpoint({
    method: "GET",
    path: "/opportunities/{id}",
    operationId: "getOpportunity",
    summary: "Shows an opportunity.",
    tag: "Opportunities",
    scope: "opportunities.readonly",
    find: { opportunity: byId("id", findOpportunity) },
    replies: { 200: opportunityView },
    read: async (_reader, { opportunity }) => reply(200, toOpportunity(opportunity)),
  }),
  endpoint({
    method: "PATCH",
    path: "/opportunities/{id}",
    operationId: "updateOpportunity",
    summary: "Changes the given fields of an opportunity, such as its stage.",
    tag: "Opportunities",
    scope: "opportunities.write",
    find: { opportunity: heldById("id", findOpportunity) },
    input: opportunityPatch,
    replies: { 200: opportunityView },
    change: async (change, { opportunity, input }) =>
      reply(200, toOpportunity(await updateOpportunity(change, opportunity.id, input))),
  }),
];
