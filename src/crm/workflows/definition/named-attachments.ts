/** The ids of files that a definition names. A draft may be faulty otherwise: the workflow keeps its files until it can be published. */
import { limits } from "../../../vocabulary/limits.ts";

export function attachmentsIn(draft: unknown): number[] {
  const nodes = Object.values(membersOf(membersOf(draft)["nodes"]));
  const ids = nodes.flatMap((node) => listOf(membersOf(node)["attachment_ids"]).slice(0, limits.attachments));
  // Ids may be given as texts, as in all input.
  return [...new Set(ids.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0))];
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
