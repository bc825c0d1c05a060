/** The front page can be read: the contrast of every pair of colours that stand on each other, in light and in dark (WCAG 2, 1.4.3). */
import { expect, test } from "vitest";
import { contrast } from "../support/contrast.ts";
import { stylesheet } from "../../src/http/documents/front-page.look.ts";

const tokens = new Map(
  [...stylesheet.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)].map(
    ([, name, light, dark, both]) => [name!, [light ?? both!, dark ?? both!]] as const,
  ),
);

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
