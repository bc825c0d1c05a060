/** A user-entered URL: left to right, and broken after `/` and `.` before anywhere else. */
import { plainName } from "../../kit/input/name.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";

export function brokenUrl(url: string): Html {
  const parts = plainName(url).split(/(?<=[/.?&])(?![/])/);
  return html`<bdi dir="ltr">${parts.map((part, place) => [place > 0 && html`<wbr />`, part])}</bdi>`;
}
