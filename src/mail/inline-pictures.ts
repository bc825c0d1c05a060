/** Pictures that html shows by `cid:` (RFC 2392). */

const source = /\bsrc\s*=\s*(?:"cid:([^"]{1,400})"|'cid:([^']{1,400})')/gi;

/** A URL is ten times as long as the shortest `cid:`. */
const mostPictures = 100;

/** The html with the URL that `urlOf` gives for each id; without one, it stays. */
export function replacePictures(html: string, urlOf: (id: string) => string | undefined): string {
  let replaced = 0;
  return html.replaceAll(source, (given, one?: string, other?: string) => {
    const url = replaced >= mostPictures ? undefined : urlOf(decoded((one ?? other)!));
    if (url !== undefined) replaced += 1;
    return url === undefined ? given : `src="${url.replaceAll("&", "&amp;")}"`;
  });
}

export function showsPicture(html: string, id: string): boolean {
  return [...html.matchAll(source)].some(([, one, other]) => decoded((one ?? other)!) === id);
}

function decoded(text: string): string {
  const plain = text.replaceAll("&amp;", "&");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
