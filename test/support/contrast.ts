/** How well one colour can be told from another. */

/** Relative luminance (WCAG 2, "relative luminance") of `#rrggbb`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((place) => Number.parseInt(color.slice(place, place + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21 (WCAG 2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The color of the translucent `#rrggbbaa` over `#rrggbb`. */
export function over(veil: string, ground: string): string {
  const part = (color: string, place: number) => Number.parseInt(color.slice(place, place + 2), 16);
  const alpha = part(veil, 7) / 255;
  return `#${[1, 3, 5]
    .map((place) => Math.round(part(veil, place) * alpha + part(ground, place) * (1 - alpha)))
    .map((value) => value.toString(16).padStart(2, "0"))
    .join("")}`;
}
