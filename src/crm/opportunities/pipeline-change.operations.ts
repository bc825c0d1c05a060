/** The operations that change pipelines. They are in this folder because opportunities move out of removed stages. */
import { z } from "zod";
import { operation } from "../../operation/operation.ts";
import { findPipeline } from "../pipelines/pipeline.queries.ts";
import { pipelineRecord } from "../pipelines/pipeline.record.ts";
import { pipelinePatch } from "../pipelines/pipeline.schema.ts";
import { pipelineView } from "../pipelines/pipeline.view.ts";
import * as service from "./pipeline-change.service.ts";

export const updatePipeline = operation({
  name: "updatePipeline",
  summary: "Renames a pipeline, or changes, orders, adds and removes its stages.",
  noun: "Opportunities",
  may: { scope: "opportunities.write", role: "manager" },
  find: { pipeline: findPipeline },
  input: pipelinePatch,
  record: pipelineRecord,
  gives: pipelineView,
  audit: "found",
  steps: (caller, { pipeline, input }, { progress }) => service.updatePipeline(caller, pipeline.id, input, progress),
});

export const deletePipeline = operation({
  name: "deletePipeline",
  summary: "Deletes a pipeline without opportunities. A location keeps at least one pipeline.",
  noun: "Opportunities",
  may: { scope: "opportunities.write", role: "manager" },
  find: { pipeline: findPipeline },
  input: z.object({}),
  record: pipelineRecord,
  gives: null,
  audit: "found",
  change: (change, { pipeline }) => service.deletePipeline(change, pipeline.id),
});
