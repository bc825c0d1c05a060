/** `crm contacts dossier`: everything that is known of a person, as a ZIP archive. */
import { Args } from "@oclif/core";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { UnreadFile } from "../../src/crm/dossier/dossier.ts";
import { notWritten } from "../../src/kit/not-written.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { Stopped, WrongUsage } from "../../terminal/failures.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { stopSignal } from "../../terminal/signals.ts";
import type { StopSignal } from "../../terminal/signals.ts";

export default class ContactsDossier extends CrmCommand {
  static override description = `Writes everything that is known of a person into a ZIP archive: the contact and all that were merged into it, notes, tasks, opportunities, workflow runs, the timeline and conversations as JSON, and the files of messages.

It works for contacts that were deleted, too. Files that are missing or damaged are named in unread_files.json. The audit log records it. The file is readable by its owner only.`;
  static override jsonResult = "{file, contact_ids, unread_files: [{attachment_id, name, reason}]}";
  static override examples = [
    "<%= config.bin %> contacts dossier 12 ada.zip",
    "<%= config.bin %> contacts dossier 12 > ada.zip",
  ];

  static override args = {
    id: idArgument("The contact."),
    file: Args.string({ description: "The file to create; without it, stdout." }),
  };

  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ContactsDossier);
    const { file } = args;
    if (file === undefined && process.stdout.isTTY)
      throw new WrongUsage("A ZIP archive is not for a terminal: name a file, or redirect stdout.");
    if (file === undefined && this.jsonEnabled())
      throw new WrongUsage("--json needs a file: the archive goes to stdout.");
    const [{ openDossier }, { readDossier }, { writeZip }, { printBytes }, { printable }] = await Promise.all([
      import("../../src/crm/dossier/dossier.operations.ts"),
      import("../../src/crm/dossier/dossier.ts"),
      import("../../src/crm/dossier/zip.ts"),
      import("../../terminal/output/print-stream.ts"),
      import("../../terminal/output/table.ts"),
    ]);
    const signal = stopSignal();
    return this.inLocation(flags, async (caller, { carryOut, blobs }) => {
      const { contact_ids: contactIds } = await carryOut(openDossier, caller, { contact: args.id });
      const unread: UnreadFile[] = [];
      const entries = readDossier(caller, contactIds, { blobs, onUnread: (one) => unread.push(one) });
      const bytes = writeZip(entries, caller.tools.clock.now());
      try {
        await (file === undefined ? printBytes(bytes, { signal }) : writeNew(file, bytes, signal));
      } catch (error) {
        if (!signal.aborted) throw error;
        throw new Stopped(signal.reason as StopSignal, "The dossier is not complete.");
      }
      for (const { attachment_id: id, name, reason } of unread)
        process.stderr.write(`The file of attachment ${id} is ${reason}: ${printable(name)}\n`);
      if (file === undefined) return undefined;
      this.log(`Wrote ${file}.`);
      return { file, contact_ids: contactIds, unread_files: unread };
    });
  }
}

/** Overwrites no file, and leaves no incomplete one. */
async function writeNew(file: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  const output = createWriteStream(file, { flags: "wx", mode: 0o600 });
  let isOpen = false;
  let fault: unknown;
  output.once("open", () => (isOpen = true));
  output.once("error", (error) => (fault = error));
  try {
    await pipeline(bytes, output, { signal });
  } catch (error) {
    if (isOpen) await rm(file, { force: true });
    throw error === fault && !signal.aborted ? notWritten(file, error) : error;
  }
}
