/** The files of --attach: uploaded before the message that they are sent with. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { Flags } from "@oclif/core";
import type { Caller, LocationContext } from "../../../src/events/caller.ts";
import type { Service } from "../../../src/service.ts";
import { limits } from "../../../src/vocabulary/limits.ts";
import { WrongUsage } from "../../failures.ts";

export const attachFlag = Flags.string({
  description: "A file to send along, at most 15 MiB; repeatable.",
  helpValue: "FILE",
  multiple: true,
  multipleNonGreedy: true,
});

/** The ids of the uploaded files; undefined for none. Throws before the first upload if a file cannot be sent. */
export async function uploadFiles(
  caller: Caller<LocationContext>,
  { carryOut }: Pick<Service, "carryOut">,
  paths: readonly string[] = [],
): Promise<number[] | undefined> {
  if (paths.length === 0) return undefined;
  for (const path of paths) await requireFile(path);
  const [{ uploadAttachment }, { detectMimeType }] = await Promise.all([
    import("../../../src/crm/conversations/attachments/attachment.operations.ts"),
    import("nodemailer/lib/mime-funcs"),
  ]);
  const ids: number[] = [];
  for (const path of paths) {
    const input = { name: basename(path), content_type: detectMimeType(path), file: createReadStream(path) };
    ids.push((await carryOut(uploadAttachment, caller, { input })).id);
  }
  return ids;
}

async function requireFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new WrongUsage(
      error.code === "ENOENT" ? `There is no file ${path}.` : `The file ${path} cannot be read (${error.code}).`,
    );
  });
  if (!found.isFile()) throw new WrongUsage(`${path} is no file.`);
  if (found.size === 0) throw new WrongUsage(`${path} is empty.`);
  if (found.size > limits.attachmentBytes) throw new WrongUsage(`${path} is larger than 15 MiB.`);
}
