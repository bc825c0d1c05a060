/** Sanitizes the html of a mail by an allow-list: nothing in it runs or submits, and nothing in a received one loads from outside. */
import sanitize from "sanitize-html";
import { htmlBounds } from "./html-bounds.ts";

const text = ["b", "strong", "i", "em", "u", "s", "strike", "del", "ins", "sub", "sup", "small", "big", "font", "span"];
const blocks = ["p", "div", "br", "hr", "pre", "code", "blockquote", "center", "h1", "h2", "h3", "h4", "h5", "h6"];
const lists = ["ul", "ol", "li", "dl", "dt", "dd"];
const tables = ["table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td"];

/** Without url(), escapes and comments. */
const plainValue = /^(?!.*(url|expression|image|attr|var)\s*\()[\w\s#%.,()'"-]{1,200}$/i;
const sides = ["", "-top", "-right", "-bottom", "-left"];
const styles = [
  "color background-color font font-family font-size font-style font-weight line-height".split(" "),
  "text-align text-decoration vertical-align white-space width height max-width border-collapse border-spacing".split(
    " ",
  ),
  ["margin", "padding", "border"].flatMap((box) => sides.map((side) => box + side)),
].flat();

const received = {
  allowedTags: ["a", "img", ...text, ...blocks, ...lists, ...tables],
  allowedAttributes: {
    "*": ["style", "dir", "lang", "title", "align", "valign", "width", "height", "bgcolor", "color"],
    a: ["href"],
    img: ["src", "data-src", "alt"],
    font: ["face", "size"],
    ol: ["start", "type"],
    table: ["border", "cellpadding", "cellspacing"],
    td: ["colspan", "rowspan"],
    th: ["colspan", "rowspan"],
  },
  allowedStyles: { "*": Object.fromEntries(styles.map((name) => [name, [plainValue]])) },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowedSchemesByTag: { img: ["cid"] },
  allowProtocolRelative: false,
  nonTextTags: ["script", "style", "textarea", "option", "noscript", "title", "head", "template"],
  nestingLimit: 100,
  transformTags: {
    // A remote image is shown only when the reader asks: loading it would tell the sender.
    img: (tagName, { src = "", "data-src": _forged, ...attribs }) => ({
      tagName,
      attribs: { ...attribs, ...shownSource(src) },
    }),
  },
} satisfies sanitize.IOptions;

/** Recipients see the images of what is sent to them. */
const sent: sanitize.IOptions = {
  ...received,
  allowedSchemesByTag: { img: ["cid", "https", "http"] },
  transformTags: {},
};

function shownSource(src: string): Record<string, string> {
  if (/^cid:/i.test(src)) return { src };
  return /^https?:\/\//i.test(src) ? { "data-src": src } : {};
}

export type HtmlDirection = "received" | "sent";

class TooDeep extends Error {}

/** Undefined if more than `htmlBounds.depth` elements are open at once. */
export function sanitizeMailHtml(html: string, direction: HtmlDirection): string | undefined {
  let depth = 0;
  const onOpenTag = (): void => {
    depth += 1;
    if (depth > htmlBounds.depth) throw new TooDeep();
  };
  const onCloseTag = (): void => void (depth -= 1);
  try {
    return sanitize(html, { ...(direction === "sent" ? sent : received), onOpenTag, onCloseTag });
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}
