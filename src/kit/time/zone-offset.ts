/** The UTC offset of a time zone at an instant. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** The UTC offset of the zone at an instant, in milliseconds. */
export function offsetAt(moment: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const shown = new Date(0);
  shown.setUTCFullYear(parts["year"]!, parts["month"]! - 1, parts["day"]);
  shown.setUTCHours(parts["hour"]!, parts["minute"], parts["second"]);
  return shown.getTime() - Math.floor(moment / 1000) * 1000;
}
