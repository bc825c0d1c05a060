/** Time zones: tells IANA names from anything else and gives each the spelling of the IANA database. */

/** The IANA names without a slash. Everything else without one (PST, JST) is an abbreviation that only some systems read. */
const plainNames = new Map(
  (
    "CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel " +
    "Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey " +
    "UCT UTC Universal W-SU WET Zulu"
  )
    .split(" ")
    .map((name) => [name.toLowerCase(), name]),
);

/** Words inside names that do not simply begin with a capital. */
const oddWords = new Map(
  "of au es US IN GMT UTC UCT ACT NSW LHI McMurdo DumontDUrville ComodRivadavia EasterIsland BajaNorte BajaSur DeNoronha"
    .split(" ")
    .map((word) => [word.toLowerCase(), word]),
);

/** By lower-case name. Only real zones are kept, some six hundred, so it cannot grow with what clients send. */
const known = new Map<string, string>();

/** Whether the name is a time zone of the IANA database, in any case. */
export function isTimeZone(name: string): boolean {
  return canonicalTimeZone(name) !== undefined;
}

/**
 * The name as the IANA database spells it (`america/new_york` → `America/New_York`), or undefined for what is none: offsets
 * such as `+02:00` and abbreviations such as `PST`. A link stays what it is: `Asia/Kolkata` must not come back as
 * `Asia/Calcutta`, which is what Intl itself would answer.
 */
export function canonicalTimeZone(name: string): string | undefined {
  const lower = name.toLowerCase();
  const found = known.get(lower);
  if (found !== undefined) return found;
  // ICU keeps zones of System V that IANA does not have.
  if (!plainNames.has(lower) && (!lower.includes("/") || lower.startsWith("systemv/"))) return undefined;
  let primary: string;
  try {
    primary = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
  const spelling = primary.toLowerCase() === lower ? primary : (plainNames.get(lower) ?? spell(lower));
  known.set(lower, spelling);
  return spelling;
}

function spell(lower: string): string {
  return lower.replace(/[a-z]+/g, (word) => oddWords.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1));
}
