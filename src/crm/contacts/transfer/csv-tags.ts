/** The names of tags in one cell: joined by semicolons, and in quotes where a name holds a semicolon or a quote itself. */

export function writeTags(names: readonly string[]): string {
  return names.map((name) => (/[;"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join("; ");
}

/** One name: in quotes, or all that stands between two separators. What other programs write may have commas between the names. */
const nameBefore = {
  ";": /\s*(?:"([^"]*(?:""[^"]*)*)"\s*|([^;]*))(?:;|$)/gy,
  ",;": /\s*(?:"([^"]*(?:""[^"]*)*)"\s*|([^,;]*))(?:[,;]|$)/gy,
};

/** The names that are not empty, in the order written. `separators` are those of our own export unless said otherwise. */
export function readTags(cell: string, separators: keyof typeof nameBefore = ";"): string[] {
  return [...cell.matchAll(nameBefore[separators])].flatMap(([, quoted, bare = ""]) => {
    const name = (quoted?.replaceAll('""', '"') ?? bare).trim();
    return name === "" ? [] : [name];
  });
}
