/** A database file on a network file system: its locks and its shared memory do not work there. */
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { embeddedPath } from "../../storage/open-database.ts";
import { failure, ok, warning } from "../check.ts";
import type { Check, Machine } from "../check.ts";

/** The numbers by which Linux names them: https://man7.org/linux/man-pages/man2/statfs.2.html */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x69_69, "NFS"],
  [0x51_7b, "SMB"],
  [0xff_53_4d_42, "CIFS"],
  [0xfe_53_4d_42, "SMB2"],
  [0x01_02_19_97, "9P"],
  [0x53_46_41_4f, "AFS"],
  [0x00_c3_64_00, "Ceph"],
  [0x0b_d0_0b_d0, "Lustre"],
]);
/** A program in user space: some of them are on this machine. */
const fuse = 0x65_73_55_46;

export const networkFileSystem: Check<Machine> = {
  name: "network file system",
  async examine({ settings: { databaseUrl } }) {
    const path = embeddedPath(databaseUrl);
    if (path === undefined) return ok("the database is a server");
    const found = await statfs(dirname(path)).catch(() => undefined);
    return found === undefined ? ok(`${dirname(path)} is not there`) : judgeFileSystem(dirname(path), found.type);
  },
};

/** `type` as statfs gives it. */
export function judgeFileSystem(folder: string, type: number) {
  // Signed where the platform has 32 bits.
  const unsigned = type < 0 ? type + 2 ** 32 : type;
  const name = networkTypes.get(unsigned);
  const remedy = "move the database to a disk of this machine, or use a database server";
  if (name !== undefined) return failure(`${folder} is on ${name}, on which the database may be damaged`, remedy);
  if (unsigned === fuse) return warning(`${folder} is on FUSE: it must be a disk of this machine`, remedy);
  return ok(`${folder} is on this machine`);
}
