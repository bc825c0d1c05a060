/** The text of an html body, for mails without a plain one. */
import { Parser } from "htmlparser2";
import { boundHtml, htmlBounds } from "./html-bounds.ts";

const skipped = new Set(["head", "style", "script", "title", "template", "noscript"]);
const blocks = new Set(["p", "div", "tr", "table", "ul", "ol", "blockquote", "pre", "hr", "section", "article"]);
const spaced = new Set(["p", "table", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"]);

/** Ignores the tags of elements that are too deep; their text stays. */
class ShallowParser extends Parser {
  depth = 0;
  override onopentagname(start: number, end: number): void {
    if (this.depth < htmlBounds.depth) super.onopentagname(start, end);
  }
}

export function textOfHtml(html: string): string {
  const pieces: string[] = [];
  let depthSkipped = 0;
  let isPreformatted = false;
  const parser = new ShallowParser(
    {
      onopentagname(name) {
        parser.depth += 1;
        if (skipped.has(name)) depthSkipped += 1;
        if (name === "br") pieces.push("\n");
        else if (name === "li") pieces.push("\n- ");
        else if (blocks.has(name) || spaced.has(name)) pieces.push("\n");
        if (name === "pre") isPreformatted = true;
      },
      ontext(text) {
        if (depthSkipped === 0) pieces.push(isPreformatted ? text : text.replaceAll(/\s+/g, " "));
      },
      onclosetag(name) {
        parser.depth -= 1;
        if (skipped.has(name)) depthSkipped -= 1;
        if (name === "td" || name === "th") pieces.push(" ");
        if (spaced.has(name)) pieces.push("\n\n");
        else if (blocks.has(name)) pieces.push("\n");
        if (name === "pre") isPreformatted = false;
      },
    },
    { decodeEntities: true },
  );
  parser.end(boundHtml(html).html);
  const lines = pieces
    .join("")
    .split("\n")
    .map((line) => line.trim());
  return lines
    .filter((line, index) => line !== "" || lines[index - 1] !== "")
    .join("\n")
    .trim();
}
