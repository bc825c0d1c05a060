/** The headers of an endpoint that will go: Deprecation (RFC 9745), Sunset (RFC 8594) and a link to what replaces it. */

/** Dates are days in UTC, such as 2027-03-01. */
export interface Deprecation {
  readonly since: string;
  /** From when it may answer 404 or 410: at least six months after `since` (docs/releasing.md). */
  readonly sunset?: string;
  /** The page that says what to use instead, from the root of the service or with its host. */
  readonly see: string;
}

/** Throws for dates that are none, or in the wrong order: a row of the table of endpoints is wrong. */
export function deprecationHeaders({ since, sunset, see }: Deprecation): Record<string, string> {
  const [from, until] = [timeOf(since), sunset === undefined ? undefined : timeOf(sunset)];
  if (until !== undefined && until <= from)
    throw new Error(`the sunset ${sunset} is not after the deprecation ${since}`);
  return {
    deprecation: `@${from / 1000}`,
    ...(until === undefined ? {} : { sunset: new Date(until).toUTCString() }),
    link: `<${see}>; rel="deprecation"; type="text/html"`,
  };
}

function timeOf(day: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN;
  if (Number.isNaN(time)) throw new Error(`${day} is no day such as 2027-03-01`);
  return time;
}
