/** Makes the files of a store durable: a commit that names them must not outlive them in a power failure. */
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The file `name` below `base`, its folder, and the folder above: those may be new. */
export function createFlush(base: string): (name: string) => Promise<void> {
  return async (name) => {
    const path = join(base, name);
    for (const each of [path, dirname(path), base]) await flush(each);
  };
}

async function flush(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
