/** Reads the html of a message that is not a raw mail: sanitised, and as text. */
import { codePointLength } from "../../kit/text.ts";
import { limits } from "../../vocabulary/limits.ts";
import { textOfHtml } from "./html-text.ts";
import { sanitizeMailHtml } from "./sanitize-html.ts";
import type { HtmlDirection } from "./sanitize-html.ts";

export interface HtmlBody {
  /** Null if nothing is left of it, or too much. */
  readonly html: string | null;
  readonly text: string;
}

export function readHtml(html: string, direction: HtmlDirection): HtmlBody {
  const safe = sanitizeMailHtml(html, direction);
  const isKept = safe.trim() !== "" && codePointLength(safe) <= limits.messageHtml;
  return { html: isKept ? safe : null, text: textOfHtml(html) };
}
