/** Walks the list of conversations piece by piece for what no index gives, so that nobody waits for what somebody else looks for. */
import { createFairLock } from "../../kit/waiting/fair-lock.ts";

/** A place in the list: last_message_at in milliseconds, and the id. */
export type ConversationPosition = [lastMessageAt: number, id: number];

/** From behind one place on to another and with it; from and to the ends of the list where they are left out. */
export interface ConversationRange {
  readonly after: ConversationPosition | undefined;
  readonly until?: ConversationPosition | undefined;
}

interface Walked<Row> {
  /** Who asks: each has a line of their own, in which one piece follows another. */
  readonly line: string;
  /** At most `most` of the range that are looked for. */
  readonly find: (range: ConversationRange, most: number) => Promise<readonly Row[]>;
  /** The place of the conversation that comes so many behind another; undefined past the end. */
  readonly findBehind: (
    after: ConversationPosition | undefined,
    count: number,
  ) => Promise<ConversationPosition | undefined>;
}

/** Conversations in a piece: a millisecond or two of work at once, in which most lists end and what is common is found; then twice that. */
const firstPiece = 8000;
const growth = 2;
const largestPiece = 16_000;

/** Pieces that are read at a time: most of PostgreSQL's pool is left to others. */
const inFairLine = createFairLock(2);

/** The first `most` behind `after` that are looked for. */
export async function walkConversations<Row>(
  after: ConversationPosition | undefined,
  most: number,
  { line, find, findBehind }: Walked<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let from = after;
  let size = firstPiece;

  /** Resolves to whether the list goes on and more is wanted. */
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
