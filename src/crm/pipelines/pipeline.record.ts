/** A pipeline as the record that operations show and change. */
import { shownRecord } from "../../operation/shown-record.ts";
import { getPipeline } from "./pipeline.queries.ts";
import { lockPipeline } from "./pipeline.service.ts";
import { pipelineView } from "./pipeline.view.ts";

export const pipelineRecord = shownRecord({
  gives: pipelineView,
  lock: (change, { pipeline }: { pipeline: number }) => lockPipeline(change, pipeline),
  read: (reader, { pipeline }) => getPipeline(reader, pipeline),
});
