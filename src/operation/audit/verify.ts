/** Verifies the audit log: every entry against its hash, each hash against the one before, both ends against their seal. */
import type { Rows } from "../../storage/rows.ts";
import { auditBatch, chainColumns, hashEntry, readEnds } from "./chain.ts";
import type { ChainRow, Vault } from "./chain.ts";

interface AuditVerdict {
  /** The number of entries that fit. */
  readonly verified: number;
  /** Entries that the worker has not chained yet: they are not protected. */
  readonly unchained: number;
  /** The position up to which retention removed entries; 0 for none. */
  readonly pruned_to: number;
  /** The last entry that fits: note it elsewhere, and a later `--expect` proves that nothing up to it was replaced. */
  readonly head: { readonly position: number; readonly hash: string };
  /** What is wrong, first in the order of the chain; null for a log that is whole. */
  readonly fault: AuditFault | null;
}

interface AuditFault {
  /** null for one of the ends. */
  readonly position: number | null;
  readonly message: string;
}

type LinkedRow = ChainRow & { readonly position: number; readonly hash: string };

const nextText = `select ${chainColumns}, position, hash from audit_entries
  where position > ? order by position limit ${auditBatch}`;
const unchainedText = "select count(*) as waiting from audit_entries where position is null";
const beforeText = "select position from audit_entries where position <= ? order by position limit 1";

/** Reads one batch at a time. `rows` must be of one moment (`database.snapshot`), so that a worker cannot go on meanwhile. */
export async function verifyAuditLog(
  { rows }: Pick<Rows, "rows">,
  vault: Vault,
  expected?: { readonly position: number; readonly hash: string },
): Promise<AuditVerdict> {
  const { last, anchor, isSealed } = await readEnds({ rows }, vault);
  const [waiting] = await rows<{ waiting: number }>(unchainedText);
  let head = anchor;
  let isExpected = expected === undefined || expected.position < anchor.position || isSame(expected, anchor);
  const verdict = (fault: AuditFault | null): AuditVerdict => ({
    verified: head.position - anchor.position,
    unchained: Number(waiting!.waiting),
    pruned_to: anchor.position,
    head,
    fault,
  });
  if (!isSealed) return verdict({ position: null, message: "The ends of the log do not match their seal." });
  const [stray] = await rows<{ position: number }>(beforeText, [anchor.position]);
  if (stray !== undefined) return verdict(faultAt(stray.position, "was removed by retention, and is there again."));
  for (;;) {
    const batch = await rows<LinkedRow>(nextText, [head.position]);
    for (const entry of batch) {
      const position = head.position + 1;
      if (entry.position !== position) return verdict(faultAt(position, "is missing."));
      const hash = hashEntry(head.hash, position, entry);
      if (entry.hash !== hash) return verdict(faultAt(position, `(id ${entry.id}) was changed or moved.`));
      head = { position, hash };
      isExpected ||= isSame(expected!, head);
    }
    if (batch.length < auditBatch) break;
  }
  if (head.position < last.position) return verdict(faultAt(head.position + 1, "is missing."));
  if (!isSame(head, last)) return verdict(faultAt(head.position, "is not the last one that was sealed."));
  if (!isExpected) return verdict(faultAt(expected!.position, "is not the one that you expect."));
  return verdict(null);
}

function faultAt(position: number, what: string): AuditFault {
  return { position, message: `Entry ${position} ${what}` };
}

function isSame(one: AuditVerdict["head"], other: AuditVerdict["head"]): boolean {
  return one.position === other.position && one.hash === other.hash;
}
