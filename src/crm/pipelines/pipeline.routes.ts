/** The endpoint of pipelines (extension: the specification takes pipelines as given). */
import { endpoint, reply } from "../../http/endpoint.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { listPipelines } from "./pipeline.queries.ts";
import { pipelineListView } from "./pipeline.view.ts";

export const pipelineRoutes = [
  endpoint({
    method: "GET",
    path: "/pipelines",
    operationId: "listPipelines",
    summary: "Lists the pipelines of the location with their stages, the oldest first.",
    tag: "Opportunities",
    scope: "opportunities.readonly",
    query: pageQuery,
    replies: { 200: pipelineListView },
    read: async (reader, { query }) => reply(200, await listPipelines(reader, query)),
  }),
];
