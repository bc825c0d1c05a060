/** The input of a tag. */
import type { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { color } from "../../kit/input/fields.ts";
import { name } from "../../kit/input/name.ts";
import { limits } from "../../vocabulary/limits.ts";

export const tagInput = creation({
  name: name(limits.tagName),
  color: color(),
}).meta({ examples: [{ name: "VIP", color: "#c0392b" }] });

export type TagInput = z.output<typeof tagInput>;

/** PATCH /tags/{id}: omitted fields are unchanged. */
export const tagPatch = tagInput.partial().meta({ examples: [{ name: "Very important" }] });

export type TagPatch = z.output<typeof tagPatch>;
