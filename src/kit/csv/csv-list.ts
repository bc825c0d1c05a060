/** A list of names in one cell: separated by semicolons; names with a semicolon or a quote are quoted. */

export function writeList(names: readonly string[]): string {
  return names.map((name) => (/[;"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join("; ");
}

/** Matches one name, quoted or unquoted. Other programs also use commas as separators. */
const nameBefore = {
  ";": /\s*(?:"([^"]*(?:""[^"]*)*)"\s*|([^;]*))(?:;|$)/gy,
  ",;": /\s*(?:"([^"]*(?:""[^"]*)*)"\s*|([^,;]*))(?:[,;]|$)/gy,
};

/** The non-empty names, in order. Default `separators`: those of our export. */
export function readList(cell: string, separators: keyof typeof nameBefore = ";"): string[] {
  return [...cell.matchAll(nameBefore[separators])].flatMap(([, quoted, bare = ""]) => {
    const name = (quoted?.replaceAll('""', '"') ?? bare).trim();
    return name === "" ? [] : [name];
  });
}
