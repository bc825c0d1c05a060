/** postal-mime without its conversion of html to text, whose time grows with the square of the unclosed tags. */
import PostalMime from "postal-mime";
import { textOfHtml } from "./html-text.ts";

/** The texts of one part, or those of the alternatives of one multipart/alternative. */
interface Texts {
  readonly plain: string[];
  readonly html: string[];
}

export class MimeParser extends PostalMime {
  readonly #texts = new Map<unknown, Texts>();

  /** Replaces an undeclared method of PostalMime. The tests of parse-mail fail if that no longer takes effect. */
  addTextEntry(part: unknown, type: "plain" | "html", { value }: { readonly value: string }): void {
    const texts = this.#texts.get(part) ?? { plain: [], html: [] };
    texts[type].push(value);
    this.#texts.set(part, texts);
  }

  /** The plain texts; of a part that has only html beside them, the text of its html. Empty if all of the mail is html. */
  plain(): string {
    const all = [...this.#texts.values()];
    if (all.every(({ plain }) => plain.length === 0)) return "";
    return all.map(({ plain, html }) => (plain.length > 0 ? plain.join("\n") : textOfHtml(html.join("\n")))).join("\n");
  }

  /** The html; of a part that has only a plain text beside it, that text. Empty if the mail has no html. */
  html(): string {
    const all = [...this.#texts.values()];
    if (all.every(({ html }) => html.length === 0)) return "";
    return all.map(({ plain, html }) => (html.length > 0 ? html.join("\n") : htmlOfText(plain.join("\n")))).join("\n");
  }
}

function htmlOfText(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<div>${escaped.replaceAll(/\r?\n/g, "<br>")}</div>`;
}
