/** Bidi isolation for user-entered names: they cannot reorder the surrounding text, whatever their script. */
import { plainName } from "../../kit/input/name.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";

/**
 * Also for postal addresses. Titles and attributes use `plainName`, and so does this: a stray PDI would end the
 * isolation of <bdi>.
 */
export function isolatedName(text: string): Html {
  return html`<bdi>${plainName(text)}</bdi>`;
}

/** An e-mail address, always read left to right. */
export function isolatedEmail(text: string): Html {
  return html`<bdi dir="ltr">${plainName(text)}</bdi>`;
}
