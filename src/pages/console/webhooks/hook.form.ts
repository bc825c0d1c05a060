/** The form of a webhook: what was typed, and the input of the operation. */
import type { HookForm } from "./hook-form.page.ts";

export function readHookForm(fields: URLSearchParams): HookForm {
  return {
    once: fields.get("once") ?? "",
    targetUrl: fields.get("target_url") ?? "",
    which: fields.get("which") === "all" ? "all" : "some",
    events: fields.getAll("event"),
  };
}

/** null: every event. */
export function toEventInput({ which, events }: HookForm): string[] | null {
  return which === "all" ? null : [...events];
}
