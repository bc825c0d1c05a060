/** Resolves the stage of a command by ID or name. */
import { allPages } from "../../../src/kit/page.ts";
import type { PipelineView } from "../../../src/crm/pipelines/pipeline.view.ts";
import type { LocationContext, Reader } from "../../../src/events/caller.ts";
import { fold } from "../../../src/kit/text.ts";
import { WrongUsage } from "../../failures.ts";
import { printable } from "../../output/table.ts";
import { listChoices } from "./choices.ts";

interface ChosenStage {
  readonly pipeline: PipelineView;
  readonly stage: PipelineView["stages"][number];
}

/**
 * By ID in any pipeline of the location, by name in `pipeline` if given, else in any. Without `text`, the first stage
 * of the pipeline. Refuses an ambiguous or unknown stage as wrong usage, and lists the choices.
 */
export async function chooseStage(
  reader: Reader<LocationContext>,
  text: string | undefined,
  pipeline?: number | undefined,
): Promise<ChosenStage> {
  const { listPipelines } = await import("../../../src/crm/pipelines/pipeline.queries.ts");
  const pipelines = await allPages((query) => listPipelines(reader, query));
  const meant = pipelines.filter(({ id }) => pipeline === undefined || id === pipeline);
  if (meant.length === 0) throw new WrongUsage(`There is no such pipeline; there are ${namesOf(pipelines)}.`);
  if (text === undefined) {
    const [only, ...others] = meant;
    if (others.length > 0)
      throw new WrongUsage(`There are several pipelines; choose one with --pipeline: ${namesOf(meant)}.`);
    return { pipeline: only!, stage: only!.stages[0]! };
  }
  const all = pipelines.flatMap((each) => each.stages.map((stage) => ({ pipeline: each, stage })));
  const named = all.filter((each) => meant.includes(each.pipeline) && fold(each.stage.name) === fold(text));
  const found = named.length > 0 ? named : all.filter(({ stage }) => String(stage.id) === text);
  if (found.length === 1) return found[0]!;
  const said = JSON.stringify(text);
  if (found.length > 1) {
    throw new WrongUsage(
      `${said} is a stage of several pipelines; choose one with --pipeline: ${namesOf(found.map((each) => each.pipeline))}.`,
    );
  }
  throw new WrongUsage(`There is no stage ${said}; there are ${namesOf(meant.flatMap(({ stages }) => stages))}.`);
}

function namesOf(choices: readonly { id: number; name: string }[]): string {
  return listChoices(choices.map(({ id, name }) => `${printable(name)} (${id})`));
}
