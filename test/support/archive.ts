/** Reads ZIP archives by a program that is not ours. */
import { execFileSync } from "node:child_process";

const script = `import io,json,sys,zipfile
z=zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))`;

/** File → its text. Throws for an archive that is damaged or not complete. */
export function readArchive(bytes: Uint8Array): Record<string, string> {
  const input = Buffer.from(bytes);
  return JSON.parse(
    execFileSync("python3", ["-c", script], { input, stdio: "pipe", maxBuffer: 64 * 2 ** 20 }).toString(),
  );
}
