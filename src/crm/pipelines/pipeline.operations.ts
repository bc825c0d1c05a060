/** The operations of pipelines (extension: the specification assumes that pipelines exist). */
import { operation } from "../../operation/operation.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { pipelineRecord } from "./pipeline.record.ts";
import * as queries from "./pipeline.queries.ts";
import { pipelineInput } from "./pipeline.schema.ts";
import * as service from "./pipeline.service.ts";
import { pipelineListView, pipelineView } from "./pipeline.view.ts";

export const listPipelines = operation({
  name: "listPipelines",
  summary: "Lists the pipelines of the location with their stages, oldest first.",
  noun: "Opportunities",
  may: { scope: "opportunities.readonly", role: "member" },
  query: pageQuery,
  gives: pipelineListView,
  read: async (reader, { query }) => await queries.listPipelines(reader, query),
});

export const createPipeline = operation({
  name: "createPipeline",
  summary: "Creates a pipeline with its stages.",
  noun: "Opportunities",
  may: { scope: "opportunities.write", role: "manager" },
  input: pipelineInput,
  record: pipelineRecord,
  gives: pipelineView,
  audit: ({ id }) => ({ noun: "pipeline", id }),
  change: async (change, { input }) => await service.createPipeline(change, input),
});
