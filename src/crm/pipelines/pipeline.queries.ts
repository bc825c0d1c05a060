/** Reads pipelines: a page of them. */
import type { Place, Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { jsonList } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import { toPipeline } from "./pipeline.view.ts";
import type { PipelineRow, PipelineView } from "./pipeline.view.ts";

const stagesOfPipeline = jsonList({
  members: { id: "stages.id", name: "stages.name", kind: "stages.kind", color: "stages.color" },
  from: "stages where stages.pipeline_id = pipelines.id",
  order: "stages.place",
});

const pageText = sql`select id, name, ${stagesOfPipeline} as stages from pipelines
  where location_id = ? and id > ? order by id limit ?`;

/** A page of the pipelines of the location, the oldest first. Refuses a cursor that it did not give out. */
export function listPipelines(reader: Reader<Place>, query: PageQuery): Promise<Page<PipelineView>> {
  return page(reader.tools.cursors, query, {
    list: `pipelines ${reader.location.id}`,
    find: ([after]: [id: number] = [0], most) => reader.rows<PipelineRow>(pageText, [reader.location.id, after, most]),
    placeOf: ({ id }): [number] => [id],
    show: toPipeline,
  });
}
