/** The output of commands that write or publish a workflow. */
import type { WorkflowView, WrittenWorkflowView } from "../../../src/crm/workflows/workflow.view.ts";
import type { FieldErrors } from "../../../src/vocabulary/errors.ts";
import { printable } from "../table.ts";

export function nameWorkflow({ id, name }: Pick<WorkflowView, "id" | "name">): string {
  return `workflow ${id} (${printable(name)})`;
}

/** One line each. */
export function describeWarnings(warnings: readonly string[]): string[] {
  return warnings.map((warning) => `Warning: ${printable(warning)}`);
}

/** The faults of a draft, one line each; none for a valid draft. */
export function describeFaults(faults: FieldErrors): string[] {
  const sentences = Object.values(faults).flat();
  return sentences.length === 0
    ? []
    : ["It cannot be published yet:", ...sentences.map((sentence) => `  ${printable(sentence)}`)];
}

/** The result of a write; `done` is a verb such as "Created". */
export function describeWriteResult(done: string, { warnings, faults, ...workflow }: WrittenWorkflowView): string[] {
  const result =
    faults === undefined
      ? `${done} and published ${nameWorkflow(workflow)}, version ${workflow.version}.`
      : `${done} ${nameWorkflow(workflow)}. To use the draft, publish it: crm workflows publish ${workflow.id}`;
  return [result, ...describeFaults(faults ?? {}), ...describeWarnings(warnings)];
}
