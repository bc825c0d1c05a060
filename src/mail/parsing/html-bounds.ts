/** Bounds html before it is parsed: the time of the parsers grows with the tags, and with the depth of each. */

/** Characters (UTF-16), and elements that are open at once: several times what a message keeps and shows. */
export const htmlBounds = { characters: 1_048_576, depth: 1000 } as const;

/** Images inside the html are never shown, and may be most of it. */
const embeddedData = /(["'])data:[^"']{1000,}\1/gi;

/** The html without embedded data, up to the bound; `isCut` if there was more. */
export function boundHtml(html: string): { readonly html: string; readonly isCut: boolean } {
  const light = html.length > htmlBounds.characters ? html.replaceAll(embeddedData, '""') : html;
  return { html: light.slice(0, htmlBounds.characters), isCut: light.length > htmlBounds.characters };
}
