/** Bars of a count per hour, those with failures in another color, and the same as text. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";

interface Bars {
  /** The whole in words, such as “412 deliveries in 24 hours. 3 failed.”. */
  readonly label: string;
  /** Oldest first. */
  readonly bars: readonly { readonly count: number; readonly isFailed: boolean }[];
}

/** In units of the view box; the browser stretches it. */
const [barWidth, gap, height] = [10, 2, 40];
/** A count that is not 0 is visible. */
const leastHeight = 2;

/** An image: attributes of SVG give sizes, since the policy refuses inline styles. */
export function barChart({ label, bars }: Bars): Html {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return html`<svg
    class="bars"
    role="img"
    aria-label="${label}"
    viewBox="0 0 ${bars.length * (barWidth + gap) - gap} ${height}"
    preserveAspectRatio="none"
  >
    ${bars.map(({ count, isFailed }, place) => {
      const tall = count === 0 ? 0 : Math.max(leastHeight, Math.round((count / most) * height));
      return (
        tall > 0 &&
        html`<rect
          class="${isFailed ? "failed" : ""}"
          x="${place * (barWidth + gap)}"
          y="${height - tall}"
          width="${barWidth}"
          height="${tall}"
          rx="1"
        />`
      );
    })}
  </svg>`;
}
