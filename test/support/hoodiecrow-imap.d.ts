/** The parts of hoodiecrow-imap that tests use; it comes without types. */
declare module "hoodiecrow-imap" {
  import type { Server } from "node:net";

  interface Hoodiecrow {
    readonly server: Server;
    listen(port: number, host: string, listening: () => void): void;
    appendMessage(folder: string, flags: string[], date: string | false, raw: string): void;
    readonly folderCache: Record<string, { uidvalidity: number; messages: { raw: string; flags: string[] }[] }>;
  }

  export default function hoodiecrow(options: object): Hoodiecrow;
}
