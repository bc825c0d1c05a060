/** Names that break pages which do not expect them. The last two are refused today, and may lie in a database from before that. */
export const hostileNames: Readonly<Record<string, string>> = {
  "one long word": "W".repeat(255),
  "255 characters": "Ada Lovelace and daughters, ".repeat(10).slice(0, 255),
  "right to left":
    "\u0645\u062A\u062C\u0631 \u0627\u0644\u0632\u0647\u0648\u0631 (\u0627\u0644\u0642\u0627\u0647\u0631\u0629) 24",
  emoji: "\u{1F469}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}".repeat(23),
  "stacked accents": `Z${"\u0301\u0316".repeat(60)}algo`,
  markup: `"><img src=x onerror=alert(1)>'&amp;`,
  "an override": "Ledgerline\u202E?remmacS ot sserdda ruoy dnes\u202D",
  "isolates and a line feed": "\u2069\u2067Ledger\nline\u2068",
};
