/** A QR code as inline SVG, dark on light in both themes, as cameras expect. */
import { encodeQR } from "qr";
import { html } from "../html.ts";
import type { Html } from "../html.ts";

/** Modules of quiet zone on each side (ISO/IEC 18004, 6.3.8). */
const border = 4;

export function qrCode(text: string, { label }: { readonly label: string }): Html {
  const rows = encodeQR(text, "raw", { ecc: "low", border });
  return html`<svg class="qr-code" role="img" aria-label="${label}" viewBox="0 0 ${rows.length} ${rows.length}">
    <path d="${rows.map((row, y) => toPath(row, y)).join("")}" />
  </svg>`;
}

/** The dark runs of a row, each a rectangle of height 1. */
function toPath(row: readonly boolean[], y: number): string {
  const text = row.map((isDark) => (isDark ? "1" : "0")).join("");
  return [...text.matchAll(/1+/g)]
    .map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
    .join("");
}
