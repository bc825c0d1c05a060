/** What bounds a search. */

/** The most records of each kind in an answer. */
export const mostFound = 20;

/** The most matches of each kind that are ranked: the first ones in the order of their list. */
export const mostRanked = 200;

/** The most records of one matching contact that are ranked, newest first. */
export const mostOfContact = 20;

/** The characters of a matching text that are shown. */
export const mostShown = 200;
