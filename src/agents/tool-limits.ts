/** How much a tool answers at once: agents read with a budget. */

/** Items of a page. */
export const pageLimit = { standard: 20, most: 100 };

/** Items of a list inside of a record. */
export const mostNested = 20;

/** Characters of a text, tried in turn until the whole answer is at most `mostCharacters`. */
export const textLengths = [2_000, 500, 100];

/** Characters of an answer; more are answered only where the shortest texts still exceed it. */
export const mostCharacters = 60_000;
