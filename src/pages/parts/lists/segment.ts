/** A segment: links that choose one view of a list. */
import { attributes, html } from "../../html.ts";
import type { Html } from "../../html.ts";

interface Segment {
  /** For screen readers. */
  readonly label: string;
  readonly choices: readonly {
    readonly text: string;
    readonly href: `/${string}`;
    readonly isChosen: boolean;
    readonly count?: string | undefined;
  }[];
}

export function segment({ label, choices }: Segment): Html {
  return html`<nav class="seg" aria-label="${label}">
    ${choices.map(
      ({ text, href, isChosen, count }) =>
        html`<a href="${href}" ${isChosen && attributes`aria-current="page"`}
          >${text}${count !== undefined && html` <span class="n">${count}</span>`}</a
        >`,
    )}
  </nav>`;
}
