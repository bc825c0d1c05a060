/** Continues an erasure, a piece in each transaction: a process that ends in between loses nothing, and another may take the next piece. */
import type { Blobs } from "../../blobs/blobs.ts";
import type { Caller, Change, LocationContext } from "../../events/caller.ts";
import { auditOrigin, recordAudit } from "../../operation/audit/record-audit.ts";
import { erasureSteps } from "./erasure.steps.ts";
import { findErasure, saveProgress } from "./erasure.queries.ts";
import type { Progress } from "./erasure.queries.ts";
import type { ErasureRow } from "./erasure.view.ts";
import type { ErasureScope, ErasureStep, Piece } from "./steps/erasure-step.ts";

/** The last step: only the files of the database are left. */
const purging = "purge";

/** Another process did the piece meanwhile. */
class DoneElsewhere extends Error {}

interface ErasureDeps {
  readonly blobs: Pick<Blobs, "remove">;
  /** The most pieces to do. */
  readonly most: number;
}

/** Does up to `most` pieces; returns how far the erasure is then. Stops early where something is under way that it waits for. */
export async function continueErasure(
  caller: Caller<LocationContext>,
  begun: ErasureRow,
  { blobs, most }: ErasureDeps,
): Promise<ErasureRow> {
  let erasure = begun;
  for (let pieces = 0; pieces < most && erasure.finished_at === null; pieces++) {
    const step = erasureSteps.find(({ name }) => name === erasure.step);
    const after = step === undefined ? await finish(caller, erasure) : await doPiece(caller, erasure, step, blobs);
    if (after === "waits") break;
    erasure = after;
  }
  return erasure;
}

async function doPiece(
  caller: Caller<LocationContext>,
  erasure: ErasureRow,
  step: ErasureStep,
  blobs: ErasureDeps["blobs"],
): Promise<ErasureRow | "waits"> {
  const scope = toScope(erasure);
  const prepared = (await step.prepare?.(caller, scope, blobs)) ?? [];
  return committed(caller, erasure, async (change) => {
    const piece = await step.piece(change, scope, prepared);
    return piece.next === "waits" ? "waits" : progressAfter(erasure, piece);
  });
}

/** Commits a piece with its progress. */
async function committed(
  caller: Caller<LocationContext>,
  erasure: ErasureRow,
  work: (change: Change<LocationContext>) => Promise<Progress | "waits">,
): Promise<ErasureRow | "waits"> {
  try {
    return await caller.change(async (change) => {
      const progress = await work(change);
      if (progress === "waits") return progress;
      if (!(await saveProgress(change, erasure, progress))) throw new DoneElsewhere();
      return { ...erasure, ...progress };
    }, "large");
  } catch (error) {
    if (!(error instanceof DoneElsewhere)) throw error;
    return (await findErasure(caller, erasure.contact_id)) ?? erasure;
  }
}

const finishText = "update contact_erasures set finished_at = ? where id = ? and finished_at is null returning id";

/** Without the files of the database in their final state it is not finished: it waits for other readers of the write-ahead log. */
async function finish(caller: Caller<LocationContext>, erasure: ErasureRow): Promise<ErasureRow | "waits"> {
  if (!(await caller.purge())) return "waits";
  return caller.change(async (change) => {
    const finished = await change.rows(finishText, [change.now, erasure.id]);
    if (finished.length === 0) return (await findErasure(change, erasure.contact_id)) ?? erasure;
    recordAudit(change, change.now, {
      operation: "contactForgotten",
      ...auditOrigin(change),
      subject: { noun: "contact", id: erasure.contact_id },
      details: { removed: JSON.parse(erasure.removed) as unknown },
    });
    return { ...erasure, finished_at: change.now.getTime() };
  });
}

function toScope({ contact_id: contactId, contact_ids: list, place, reached }: ErasureRow): ErasureScope {
  return { contactId, contactIds: JSON.parse(list) as number[], list, place, reached };
}

function progressAfter(erasure: ErasureRow, { next, removed = {} }: Piece): Progress {
  const sums = JSON.parse(erasure.removed) as Record<string, number>;
  for (const [noun, count] of Object.entries(removed)) if (count > 0) sums[noun] = (sums[noun] ?? 0) + count;
  const text = JSON.stringify(sums);
  if (next !== null && next !== "waits") return { step: erasure.step, ...next, removed: text };
  const place = erasureSteps.findIndex(({ name }) => name === erasure.step);
  return { step: erasureSteps[place + 1]?.name ?? purging, place: 0, reached: 0, removed: text };
}
