/** Initials on a colored background, for items without a picture: the same color for the same item. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";

interface Tile {
  readonly text: string;
  /** Determines the color. */
  readonly seed: string;
  readonly size?: "large" | "small" | "round";
}

const hues = 6;

export function tile({ text, seed, size = "large" }: Tile): Html {
  return html`<span class="tile ${size}" data-hue="${hueOf(seed)}" aria-hidden="true">${text}</span>`;
}

/** At most two letters, of the first and the last word. A name without letters gives its first character. */
export function initials(name: string): string {
  const words = name.split(/[\s@._-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const [first = "", last = ""] = words.length > 1 ? [words[0], words.at(-1)] : words;
  const letters = [first, last].map((word) => (Array.from(word)[0] ?? "").toUpperCase()).join("");
  return letters === "" ? (Array.from(name.trim())[0] ?? "") : letters;
}

/** FNV-1a, so that names with a common prefix get different colors. */
function hueOf(seed: string): number {
  let hash = 0x811c9dc5;
  for (const character of seed) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % hues;
}
