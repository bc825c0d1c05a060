/** The part of an upload's input that is in the query; its `content_type` is in the header, and its `file` is the body. */
import { z } from "zod";
import type { AnyOperation } from "../operation/operation.ts";

export function uploadParameters({ name, input }: AnyOperation): z.ZodObject {
  if (!(input instanceof z.ZodObject)) throw new Error(`${name} takes no file`);
  return input.omit({ content_type: true, file: true });
}
