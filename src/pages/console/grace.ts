/** The choice of how long an old secret also signs, once a new one exists. */
import { attributes, html } from "../html.ts";
import type { Html } from "../html.ts";

const choices = { none: ["At once", 0], hour: ["In an hour", 3600], day: ["In a day", 86_400] } as const;

/** Of a form: seconds. Anything else than a choice is none. */
export function readGrace(fields: URLSearchParams): number {
  const grace = fields.get("grace") ?? "";
  return choices[Object.hasOwn(choices, grace) ? (grace as keyof typeof choices) : "none"][1];
}

export function graceChoice(): Html {
  return html`<fieldset class="group">
    <legend>The old secret ends</legend>
    <div class="seg">
      ${Object.entries(choices).map(
        ([name, [title]]) =>
          html`<label
            ><input
              type="radio"
              name="grace"
              value="${name}"
              ${name === "hour" && attributes`checked`}
            />${title}</label
          >`,
      )}
    </div>
  </fieldset>`;
}
