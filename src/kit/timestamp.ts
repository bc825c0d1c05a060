/** Writes times as the API shows them: ISO 8601, UTC, with a trailing Z. */

/** Milliseconds since 1970, as rows carry them. */
export function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export function toNullableTimestamp(milliseconds: number | null): string | null {
  return milliseconds === null ? null : toTimestamp(milliseconds);
}
