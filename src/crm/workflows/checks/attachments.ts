/** Checks the files that nodes send: each is an upload that the workflow has or may keep, and those of a node fit into one message. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { findKeepable } from "../workflow-attachments.ts";
import type { Fault } from "./faults.ts";

interface NamedFiles {
  readonly place: string;
  readonly value: readonly number[];
}

/** One statement. A file belongs to one workflow, so that of another one is a fault. */
export async function judgeAttachments(
  reader: Reader<LocationContext>,
  named: readonly NamedFiles[],
  workflowId: number | undefined,
): Promise<Fault[]> {
  const sizes = await findKeepable(
    reader,
    named.flatMap(({ value }) => value),
    workflowId,
  );
  return named.flatMap(({ place, value }): Fault[] => {
    const unknown = value.filter((id) => !sizes.has(id));
    if (unknown.length > 0) return [{ place, predicate: describeUnknown(unknown) }];
    const bytes = value.reduce((sum, id) => sum + sizes.get(id)!, 0);
    return bytes > limits.attachmentsBytes
      ? [{ place, predicate: `may have ${limits.attachmentsBytes / 1_048_576} MiB together.` }]
      : [];
  });
}

function describeUnknown(ids: readonly number[]): string {
  return `must name attachments of the location that were uploaded for this workflow in the last day, or that it has already: not ${ids.join(", ")}.`;
}
