/** Markdown as Html: the tokens of `marked`, through our own templates, so that every text is escaped. */
import { lexer } from "marked";
import type { Token, Tokens } from "marked";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import { slugOf } from "./contents.ts";

/** The address of a link; undefined for one that the reference does not have: its text alone remains. */
export type ToLink = (href: string) => { readonly href: string; readonly title: string | undefined } | undefined;

interface MarkdownOptions {
  readonly toLink: ToLink;
  /** Added to the depth of headings. */
  readonly offset: number;
}

export function renderMarkdown(tokens: readonly Token[], options: MarkdownOptions): Html {
  return html`${tokens.map((token) => renderToken(token, options))}`;
}

/** A description: inline code, lists, no links to documents. */
export function renderText(text: string): Html {
  return renderMarkdown(lexer(text), { toLink: () => undefined, offset: 0 });
}

function renderToken(token: Token, options: MarkdownOptions): Html | string {
  const inner = (): Html => renderMarkdown(("tokens" in token && token.tokens) || [], options);
  switch (token.type) {
    case "heading":
      return heading(token as Tokens.Heading, options);
    case "paragraph":
      return html`<p>${inner()}</p>`;
    case "text":
      return "tokens" in token && token.tokens !== undefined ? inner() : (token as Tokens.Text).text;
    case "escape":
      return (token as Tokens.Escape).text;
    case "codespan":
      return html`<code>${(token as Tokens.Codespan).text}</code>`;
    case "strong":
      return html`<strong>${inner()}</strong>`;
    case "em":
      return html`<em>${inner()}</em>`;
    case "link":
      return link(token as Tokens.Link, inner(), options);
    case "code":
      return codeBlock((token as Tokens.Code).text);
    case "list":
      return list(token as Tokens.List, options);
    case "table":
      return table(token as Tokens.Table, options);
    case "space":
    case "html":
      return "";
    default:
      throw new Error(`the reference cannot render a Markdown ${token.type}`);
  }
}

function heading({ depth, text, tokens }: Tokens.Heading, options: MarkdownOptions): Html {
  const content = renderMarkdown(tokens, options);
  const id = slugOf(text);
  if (depth + options.offset <= 2) return html`<h2 id="${id}">${content}</h2>`;
  return html`<h3 id="${id}">${content}</h3>`;
}

function link({ href, text }: Tokens.Link, content: Html, { toLink }: MarkdownOptions): Html {
  const to = toLink(href);
  if (to === undefined) return content;
  // A file name is replaced by the title of its chapter.
  return html`<a href="${to.href}">${to.title !== undefined && /^[\w-]+\.md$/.test(text) ? to.title : content}</a>`;
}

/** Scrolls sideways, and by the keyboard. */
function codeBlock(content: Html | string): Html {
  return html`<pre tabindex="0"><code>${content}</code></pre>`;
}

function list({ ordered, items }: Tokens.List, options: MarkdownOptions): Html {
  const rows = items.map(({ tokens }) => html`<li>${renderMarkdown(tokens, options)}</li>`);
  return ordered
    ? html`<ol>
        ${rows}
      </ol>`
    : html`<ul>
        ${rows}
      </ul>`;
}

function table({ header, rows }: Tokens.Table, options: MarkdownOptions): Html {
  const cell = ({ tokens }: Tokens.TableCell) => renderMarkdown(tokens, options);
  return html`<div class="scrolls" tabindex="0" role="group" aria-label="Table">
    <table>
      ${
        header.some(({ text }) => text !== "") &&
        html`<thead>
          <tr>
            ${header.map((one) => (one.text === "" ? html`<td></td>` : html`<th scope="col">${cell(one)}</th>`))}
          </tr>
        </thead>`
      }
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((one) => html`<td>${cell(one)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
