/** A name that a person typed, isolated from the text around it: whatever its script, it cannot reorder our own words. */
import { plainName } from "../../kit/input/name.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";

/** Also for postal addresses, which people type as well. Titles and attributes take `plainName`, and so does this: a stray end of an isolate would end that of <bdi>. */
export function isolatedName(text: string): Html {
  return html`<bdi>${plainName(text)}</bdi>`;
}

/** An e-mail address, which is read from the left whatever the script of its parts. */
export function isolatedEmail(text: string): Html {
  return html`<bdi dir="ltr">${plainName(text)}</bdi>`;
}
