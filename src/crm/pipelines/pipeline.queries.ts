/** Reads pipelines: a page, and lookups for request bodies. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { jsonList } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import { fitsIn, weighedPage } from "../../storage/reading/weighed-page.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import type { Reference } from "../references.ts";
import { toPipeline } from "./pipeline.view.ts";
import type { PipelineRow, PipelineView } from "./pipeline.view.ts";
import type { StageView } from "./stage.view.ts";

const stagesOfPipeline = jsonList({
  members: { id: "stages.id", name: "stages.name", kind: "stages.kind", color: "stages.color" },
  from: "stages where stages.pipeline_id = pipelines.id",
  order: "stages.place",
});

const pageText = sql`select pipelines.id, pipelines.name, page.bytes_so_far,
    case when ${fitsIn(limits.pipelinePageBytes)} then ${stagesOfPipeline} end as stages
  from ${weighedPage({
    table: "pipelines",
    bytes: "(select coalesce(sum(octet_length(stages.name)), 0) from stages where stages.pipeline_id = pipelines.id)",
    where: "location_id = ? and id > ?",
    direction: "asc",
  })} join pipelines on pipelines.id = page.id order by page.id`;

/** A page of the pipelines of the location, oldest first. Refuses a cursor of another list. */
export function listPipelines(reader: Reader<LocationContext>, query: PageQuery): Promise<Page<PipelineView>> {
  return page(reader.tools.cursors, query, {
    list: `pipelines ${reader.location.id}`,
    find: ([after]: [id: number] = [0], most) => reader.rows<PipelineRow>(pageText, [reader.location.id, after, most]),
    placeOf: ({ id }): [number] => [id],
    mostBytes: limits.pipelinePageBytes,
    show: toPipeline,
  });
}

const wholeText = sql`select pipelines.id, pipelines.name, ${stagesOfPipeline} as stages from pipelines where id = ? and location_id = ?`;

/** A pipeline of the location with its stages. */
export async function findPipeline(reader: Reader<LocationContext>, id: number): Promise<PipelineView | undefined> {
  const [row] = await reader.rows<PipelineRow>(wholeText, [id, reader.location.id]);
  return row && toPipeline(row);
}

/** The same; refuses `pipeline.not_found`. */
export async function getPipeline(reader: Reader<LocationContext>, id: number): Promise<PipelineView> {
  const pipeline = await findPipeline(reader, id);
  if (pipeline === undefined) throw new Refusal("pipeline.not_found");
  return pipeline;
}

const pipelineText = "select id, name from pipelines where id = ? and location_id = ?";

/** For `pipeline_id` in request bodies. */
export const pipelineOfLocation: Reference<{ id: number; name: string }> = {
  async find(reader, id) {
    const [pipeline] = await reader.rows<{ id: number; name: string }>(pipelineText, [id, reader.location.id]);
    return pipeline;
  },
  predicate: "must name a pipeline of the location.",
};

/** A stage with its pipeline. */
export interface FoundStage extends StageView {
  readonly pipeline_id: number;
  readonly pipeline_name: string;
}

const stageText = `select stages.id, stages.name, stages.kind, stages.color, pipelines.id as pipeline_id, pipelines.name as pipeline_name
  from stages join pipelines on pipelines.id = stages.pipeline_id where stages.id = ? and pipelines.location_id = ?`;

/** For `stage_id` in request bodies. */
export const stageOfLocation: Reference<FoundStage> = {
  async find(reader, id) {
    const [stage] = await reader.rows<FoundStage>(stageText, [id, reader.location.id]);
    return stage;
  },
  predicate: "must name a stage of the location.",
};
