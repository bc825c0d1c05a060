/** `crm-client` as its package carries it, in a folder outside of the clone, with examples that use it. */
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { repository, startProcess } from "./node-process.ts";

export interface ClientFolder extends AsyncDisposable {
  readonly path: string;
  /** Copies a file of the repository into the folder, and returns its path. */
  copy(file: string): Promise<string>;
}

/** `packages` are linked from the repository. */
export async function installClient(packages: readonly string[] = []): Promise<ClientFolder> {
  const path = await mkdtemp(join(tmpdir(), "crm-client-"));
  const installed = join(path, "node_modules/crm-client");
  await mkdir(installed, { recursive: true });
  await copyFile(join(repository, "client/package.json"), join(installed, "package.json"));
  const build = [join(repository, "scripts/build-client.ts"), join(installed, "dist")];
  const { code, stderr } = await startProcess(process.execPath, build, { timeoutSeconds: 60 }).finished;
  if (code !== 0) throw new Error(`crm-client was not built: ${stderr}`);
  for (const name of packages) await symlink(join(repository, "node_modules", name), join(path, "node_modules", name));
  await writeFile(join(path, "package.json"), '{ "type": "module" }');
  return {
    path,
    async copy(file) {
      const target = join(path, basename(file));
      await copyFile(join(repository, file), target);
      return target;
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
