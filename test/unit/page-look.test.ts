/** Pages can be read: the contrast of every pair of colours that stand on each other (WCAG 2, 1.4.3 and 1.4.11), and icons that are there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { iconNames } from "../../src/pages/parts/icon.ts";
import { contrast, over } from "../support/contrast.ts";

const folder = join(import.meta.dirname, "../../src/pages/assets");
const style = (name: string) => readFileSync(join(folder, "styles", `${name}.css`), "utf8");

const tokens = new Map(
  [...style("tokens").matchAll(/--([\w-]+): (?:light-dark\((#\w{6}\w*), (#\w{6}\w*)\)|(#\w{6}));/g)].map(
    ([, name, light, dark, both]) => [name!, [light ?? both!, dark ?? both!]] as const,
  ),
);

const texts = [
  ...["ink", "ink-2", "ink-3", "accent-ink", "ok", "warn", "danger"].map((ink) => [ink, "surface", 4.5] as const),
  ...["ink", "ink-2", "ink-3", "accent-ink"].map((ink) => [ink, "canvas", 4.5] as const),
  ...["ink", "ink-2", "ink-3"].map((ink) => [ink, "sunken", 4.5] as const),
  ...["ink-3", "accent-ink"].map((ink) => [ink, "glow", 4.5] as const),
  ...["accent-soft", "ok-soft", "warn-soft", "danger-soft"].map((ground) => ["ink", ground, 4.5] as const),
  ...["sky", "rose", "moss", "ok", "warn", "danger"].map((ink) => [ink, `${ink}-soft`, 4.5] as const),
  ["accent-ink", "accent-soft", 4.5],
  ...["ink", "ink-2", "ink-3", "accent-ink", "ok"].map((ink) => [ink, "lane", 4.5] as const),
  ...["ink", "ink-2"].map((ink) => [ink, "raised", 4.5] as const),
  ["on-accent", "accent", 4.5],
  ["on-accent", "accent-hover", 4.5],
  ["on-accent", "danger-fill", 4.5],
  ["control", "surface", 3],
  ["control", "canvas", 3],
] as const;

test.each(texts)("%s on %s is at least %d", (ink, ground, least) => {
  for (const theme of [0, 1]) {
    expect(contrast(tokens.get(ink)![theme]!, tokens.get(ground)![theme]!)).toBeGreaterThanOrEqual(least);
  }
});

/** Ornament is seen, and need not be told: text in it says the same. */
test.each([
  ["edge", "surface", 1.3],
  ["edge", "line", 1.05],
] as const)("%s differs from %s by %d", (one, other, least) => {
  for (const theme of [0, 1])
    expect(contrast(tokens.get(one)![theme]!, tokens.get(other)![theme]!)).toBeGreaterThanOrEqual(least);
});

/** Translucent: text stays readable on the canvas and the surface below. */
test.each([
  ["ink", "hover", "surface"],
  ["ink-2", "hover", "canvas"],
  ["ink", "here", "canvas"],
  ["accent-ink", "here", "canvas"],
] as const)("%s on %s over %s is at least 4.5", (ink, veil, ground) => {
  for (const theme of [0, 1]) {
    const below = over(tokens.get(veil)![theme]!, tokens.get(ground)![theme]!);
    expect(contrast(tokens.get(ink)![theme]!, below)).toBeGreaterThanOrEqual(4.5);
  }
});

test.each(["base", "layout", "work", "parts", "lists", "console", "account", "../reference"])(
  "%s.css holds no colour, and uses tokens that there are",
  (name) => {
    const css = style(name);
    expect(css).not.toMatch(/#[0-9a-f]{3,8}\b|rgb|hsl/i);
    const declared = new Set([...style("tokens").matchAll(/--([\w-]+):/g)].map(([, token]) => token!));
    expect(
      [...css.matchAll(/var\(--([\w-]+)\)/g)].map(([, token]) => token!).filter((token) => !declared.has(token)),
    ).toEqual([]);
  },
);

test("every icon is in the sprite", () => {
  const sprite = readFileSync(join(folder, "icons.svg"), "utf8");
  expect(iconNames.filter((name) => !sprite.includes(`<symbol id="${name}"`))).toEqual([]);
});
