/** Scans the list of conversations in chunks, for filters without an index. Chunks of different readers are interleaved by a fair queue. */
import { createFairLock } from "../../kit/waiting/fair-lock.ts";

/** A keyset cursor: last_message_at in milliseconds, and the id. */
export type ConversationPosition = [lastMessageAt: number, id: number];

/** The range after `after` (exclusive) up to `until` (inclusive); without them, from the start or to the end of the list. */
export interface ConversationRange {
  readonly after: ConversationPosition | undefined;
  readonly until?: ConversationPosition | undefined;
}

interface Walked<Row> {
  /** The fair-queue key of the reader. */
  readonly line: string;
  /** Finds at most `most` matching rows in a range. */
  readonly find: (range: ConversationRange, most: number) => Promise<readonly Row[]>;
  /** The position `count` rows after `after`; undefined past the end. */
  readonly findBehind: (
    after: ConversationPosition | undefined,
    count: number,
  ) => Promise<ConversationPosition | undefined>;
}

/** Rows per chunk: first, one or two milliseconds of work, which is enough for most lists and for common matches; then twice that. */
const firstPiece = 8000;
const growth = 2;
const largestPiece = 16_000;

/** Concurrent chunks, few enough to leave most of PostgreSQL's connection pool to others. */
const inFairLine = createFairLock(2);

/** The first `most` matching rows after `after`. */
export async function walkConversations<Row>(
  after: ConversationPosition | undefined,
  most: number,
  { line, find, findBehind }: Walked<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let from = after;
  let size = firstPiece;

  /** Resolves to whether to continue: the list has more rows, and more are needed. */
  async function readPiece(): Promise<boolean> {
    const until = await findBehind(from, size);
    rows.push(...(await find({ after: from, until }, most - rows.length)));
    from = until;
    size = Math.min(size * growth, largestPiece);
    return until !== undefined && rows.length < most;
  }

  if (!(await readPiece())) return rows;
  return inFairLine(line, async (turn) => {
    while (await turn(readPiece));
    return rows;
  });
}
