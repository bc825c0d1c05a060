/** The front page can be read: the contrast of every pair of colours that stand on each other, in light and in dark (WCAG 2, 1.4.3). */
import { expect, test } from "vitest";
import { stylesheet } from "../../src/http/documents/front-page.look.ts";

const tokens = new Map(
  [...stylesheet.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)].map(
    ([, name, light, dark, both]) => [name!, [light ?? both!, dark ?? both!]] as const,
  ),
);

/** Relative luminance (WCAG 2, "relative luminance"). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((place) => Number.parseInt(color.slice(place, place + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

test.each([
  ["ink", "surface"],
  ["ink-2", "surface"],
  ["accent-ink", "surface"],
  ["accent-ink", "canvas"],
  ["on-accent", "accent"],
  ["on-accent", "accent-hover"],
  ["ok", "ok-soft"],
  ["danger", "danger-soft"],
])("%s on %s", (text, ground) => {
  for (const theme of [0, 1]) {
    expect(contrast(tokens.get(text)![theme]!, tokens.get(ground)![theme]!)).toBeGreaterThanOrEqual(4.5);
  }
});

test("only the tokens hold colours, and every one that is used is there", () => {
  const [, parts = ""] = stylesheet.split("@layer base {");
  expect(parts).not.toMatch(/#[0-9a-f]{3,8}\b|rgb|hsl/i);
  const used = [...parts.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name!);
  expect(used.filter((name) => !tokens.has(name))).toEqual([]);
});
