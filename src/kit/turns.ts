/** Work that takes long in the event loop, in pieces: a line lets one after the other do theirs, each piece in a turn of its own. */
import { setImmediate as turn } from "node:timers/promises";

/** Resolves in the next turn of the event loop, after whatever came in meanwhile was begun. */
export async function nextTurn(): Promise<void> {
  await turn();
}

export type Line = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Each that stands in the line begins when the one before it is done, and what follows on that has had its turn. */
export function createLine(): Line {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(nextTurn).then(work);
    last = done.catch(() => {});
    return done;
  };
}

/** From so many characters on, what makes an answer of them takes turns. */
const large = 64 << 10;
const pages = createLine();

/** To be awaited before an answer of so much text is made: at once while it is little, else when its turn has come. */
export async function takeTurn(characters: number): Promise<void> {
  if (characters > large) await pages(async () => {});
}
