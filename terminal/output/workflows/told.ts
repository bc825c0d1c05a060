/** What commands say of a workflow that was written or published. */
import type { WorkflowView, WrittenWorkflowView } from "../../../src/crm/workflows/workflow.view.ts";
import type { FieldErrors } from "../../../src/vocabulary/errors.ts";
import { printable } from "../table.ts";

export function nameWorkflow({ id, name }: Pick<WorkflowView, "id" | "name">): string {
  return `workflow ${id} (${printable(name)})`;
}

/** A line each. */
export function tellWarnings(warnings: readonly string[]): string[] {
  return warnings.map((warning) => `Warning: ${printable(warning)}`);
}

/** What keeps a draft from being published, a line each; none where nothing does. */
export function tellFaults(faults: FieldErrors): string[] {
  const sentences = Object.values(faults).flat();
  return sentences.length === 0
    ? []
    : ["It cannot be published yet:", ...sentences.map((sentence) => `  ${printable(sentence)}`)];
}

/** What came of writing one; `done` says what was done, such as "Created". */
export function tellWritten(done: string, { warnings, faults, ...workflow }: WrittenWorkflowView): string[] {
  const told =
    faults === undefined
      ? `${done} and published ${nameWorkflow(workflow)}, version ${workflow.version}.`
      : `${done} ${nameWorkflow(workflow)}. Its draft counts once it is published: crm workflows publish ${workflow.id}`;
  return [told, ...tellFaults(faults ?? {}), ...tellWarnings(warnings)];
}
