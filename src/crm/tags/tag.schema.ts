/** What comes in for a tag. */
import { z } from "zod";
import { nullableText, text } from "../../kit/input/fields.ts";
import { limits } from "../../vocabulary/limits.ts";

const colorForm = /^#[0-9a-fA-F]{6}$/;

export const tagInput = z
  .object({
    name: text(limits.tagName),
    color: nullableText()
      .refine((value) => typeof value !== "string" || colorForm.test(value), {
        error: "must be a color such as #1a2b3c.",
      })
      .meta({ pattern: colorForm.source }),
  })
  .meta({ examples: [{ name: "VIP", color: "#c0392b" }] });

export type TagInput = z.output<typeof tagInput>;

/** What comes in for another name. */
export const tagName = tagInput.pick({ name: true });

export type TagName = z.output<typeof tagName>;
