/** Writes a workflow and publishes it where that is asked for, as two commands do, and says what came of it. */
import type { Caller, Change, Place } from "../src/events/caller.ts";
import type { Service } from "../src/service.ts";
import { judgeDraft, publishWritten } from "../src/crm/workflows/publishing.service.ts";
import type { WorkflowRow } from "../src/crm/workflows/workflow.view.ts";
import { toWorkflow } from "../src/crm/workflows/workflow.view.ts";
import { nameWorkflow, tellFaults, tellWarnings } from "./output/workflows/told.ts";

interface Writing {
  readonly draft: unknown;
  readonly publish: boolean;
  readonly write: (change: Change<Place>) => Promise<WorkflowRow>;
}

interface WrittenWorkflow {
  /** What --json prints. */
  readonly answer: object;
  /** For people; `done` says what was done, such as "Created". */
  readonly told: (done: string) => string[];
}

/** With `publish` all of it or nothing: refuses a draft that cannot be published, and writes nothing then. */
export async function writeWorkflow(
  caller: Caller<Place>,
  outside: Service["outside"],
  { draft, publish, write }: Writing,
): Promise<WrittenWorkflow> {
  if (publish) {
    const { workflow, warnings } = await publishWritten(
      caller,
      outside,
      draft,
      async (change) => (await write(change)).id,
    );
    return {
      answer: { ...toWorkflow(workflow), warnings },
      told: (done) => [
        `${done} and published ${nameWorkflow(workflow)}, version ${workflow.version}.`,
        ...tellWarnings(warnings),
      ],
    };
  }
  const workflow = await caller.change(write);
  const { faults, warnings } = await judgeDraft(caller, outside, draft);
  return {
    answer: { ...toWorkflow(workflow), warnings, faults },
    told: (done) => [
      `${done} ${nameWorkflow(workflow)}. Its draft counts once it is published: crm workflows publish ${workflow.id}`,
      ...tellFaults(faults),
      ...tellWarnings(warnings),
    ],
  };
}
