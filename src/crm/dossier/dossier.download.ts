/** The archive of a dossier as the body of a response. */
import type { StreamedFile } from "../../http/endpoint.ts";
import { openedDossier, readDossier } from "./dossier.ts";
import { writeZip } from "./zip.ts";

export const dossierDownload: StreamedFile = {
  contentType: "application/zip",
  description:
    "A ZIP archive: JSON by noun, conversations, and files; `unread_files.json` names files that are missing or damaged.",
  open(reader, result, { blobs }) {
    const { contact_ids: ids } = openedDossier.parse(result);
    const content = writeZip(readDossier(reader, ids, { blobs }), reader.tools.clock.now());
    return { name: `contact-${ids[0]}.zip`, content };
  },
};
