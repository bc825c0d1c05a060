/** A value that both databases bind. Times are Dates in parameters and milliseconds in rows. */
export type Value = string | number | boolean | Date | null;
