/** A table that folds on a phone: each row becomes two columns, the first cell and the last on top. */
import { html } from "../../html.ts";
import type { Html, HtmlValue } from "../../html.ts";
import type { Site } from "../../site.ts";
import { icon } from "../icon.ts";

interface TableColumn<Row> {
  readonly title: string;
  /** `-` for none, which a phone leaves out. */
  readonly cell: (row: Row) => HtmlValue;
  /**
   * On a phone. `wide`: a line of its own. `hide`: not shown. Default: in the flow of two columns. The title of a
   * `wide` cell with `isNamed` precedes it.
   */
  readonly folded?: "wide" | "hide";
  readonly isNamed?: true;
  /** Aligned to the end, for numbers. */
  readonly isNumber?: true;
  /** Beside a column of long texts, where there is room: wide enough for a word. */
  readonly isRoomy?: true;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  /** The actions of a row, in the last column. */
  readonly actions?: (row: Row) => HtmlValue;
}

export function table<Row>({ caption, columns, rows, actions }: TableProps<Row>): Html {
  return html`<table class="table folds">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map(({ title, isNumber }) => html`<th scope="col" class="${isNumber ? "r" : ""}">${title}</th>`)}
        ${actions !== undefined && html`<th scope="col"><span class="hidden-text">Actions</span></th>`}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${columns.map(({ title, cell, folded = "", isNamed, isNumber, isRoomy }) => {
              const value = cell(row);
              return html`<td
                class="${folded} ${isNumber ? "r" : ""} ${isRoomy ? "roomy" : ""} ${value === "-" ? "blank" : ""}"
              >
                ${isNamed && html`<span class="cell-name">${title} </span>`}${value}
              </td>`;
            })}
            ${actions !== undefined && html`<td class="row-actions">${actions(row)}</td>`}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

interface Pager {
  /** Such as `50 of 1,000`, or null. */
  readonly shown: string | null;
  /** The address of the first page; null on it. */
  readonly first: `/${string}` | null;
  /** Default: First page. */
  readonly firstText?: string;
  /** The address of the next page; null on the last one. */
  readonly next: `/${string}` | null;
  /** Default: Next page. */
  readonly nextText?: string;
}

/** The foot of a list: where this page lies, and links to the first and the next page. */
export function pager(
  site: Site,
  { shown, first, firstText = "First page", next, nextText = "Next page" }: Pager,
): Html | false {
  if (first === null && next === null) return false;
  return html`<nav class="foot" aria-label="Pages">
    <span>${shown}</span>
    <span class="end">
      ${first !== null && html`<a class="button small" href="${first}">${firstText}</a>`}
      ${next !== null && html`<a class="button small" href="${next}">${nextText} ${icon(site, "arrow-right")}</a>`}
    </span>
  </nav>`;
}
