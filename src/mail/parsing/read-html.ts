/** Reads the html of a message: sanitised, and as text. */
import { isLongerThan } from "../../kit/text.ts";
import { limits } from "../../vocabulary/limits.ts";
import { boundHtml } from "./html-bounds.ts";
import { textOfHtml } from "./html-text.ts";
import { sanitizeMailHtml } from "./sanitize-html.ts";
import type { HtmlDirection } from "./sanitize-html.ts";

export interface KeptHtml {
  /** Null if nothing is left of it, or too much. */
  readonly html: string | null;
  /** All of the html, if a message cannot keep it; sanitised unless it is too long or too deep for that. */
  readonly excess: string | null;
}

export function keepHtml(given: string, direction: HtmlDirection): KeptHtml {
  const { html, isCut } = boundHtml(given);
  const safe = isCut ? undefined : sanitizeMailHtml(html, direction);
  if (safe === undefined) return { html: null, excess: given };
  if (isLongerThan(safe, limits.messageHtml)) return { html: null, excess: safe };
  return { html: safe.trim() === "" ? null : safe, excess: null };
}

export interface HtmlBody {
  readonly html: string | null;
  readonly text: string;
}

export function readHtml(html: string, direction: HtmlDirection): HtmlBody {
  return { html: keepHtml(html, direction).html, text: textOfHtml(html) };
}
