/** Writes what was measured into docs/performance.md, between two of its marks; the words around them are written by people. */
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";

const path = join(import.meta.dirname, "../../docs/performance.md");

/** `part`: the name that the marks carry. */
export async function writeDocument(part: "measured" | "processor" | "soaked", measured: string): Promise<void> {
  const [begin, end] = [`<!-- ${part}: begin -->`, `<!-- ${part}: end -->`];
  const text = await readFile(path, "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md has lost its marks ${begin} and ${end}`);
  await writeFile(path, `${text.slice(0, from)}${begin}\n\n${measured}\n\n${text.slice(to)}`);
}

/** One sentence on the machine, taken when the run begins. */
export function describeMachine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  const busy = loadavg()[1]!.toFixed(1);
  return (
    `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${memory} GiB, ${process.platform}, Node ${process.versions.node}; ` +
    `before the run, ${busy} processes were at work on it.`
  );
}
