/** The real nginx and Caddy with the sample files of examples/proxy, in which nothing but addresses and certificates is replaced. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";
import { repository, startProcess } from "../support/node-process.ts";
import { until } from "./until.ts";
import { openRaw } from "../support/socket.ts";

export const certificates = join(repository, "test/support/certificates");
const certificate = { cert: join(certificates, "localhost.pem"), key: join(certificates, "localhost.key") };

/** Listens at https://localhost; `await using` ends it. */
export interface RunningProxy extends AsyncDisposable {
  readonly port: number;
}

interface Prepared {
  readonly parameters: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  readonly backends: readonly [number, number];
}

const proxies = {
  nginx: {
    sample: "nginx.conf",
    version: ["nginx", "-v"],
    prepare(sample: string, { folder, port, plainPort, backends }: Place): Prepared {
      const text = replaceAll(sample, [
        ["127.0.0.1:3000", `127.0.0.1:${backends[0]}`],
        ["127.0.0.1:3001", `127.0.0.1:${backends[1]}`],
        ["listen 80;", `listen 127.0.0.1:${plainPort};`],
        ["listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`],
        ["/etc/letsencrypt/live/crm.example.com/fullchain.pem", certificate.cert],
        ["/etc/letsencrypt/live/crm.example.com/privkey.pem", certificate.key],
        ["server_name crm.example.com;", "server_name localhost;"],
      ]);
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
      // Its workers write what they buffer into the folder of this test.
      const user = process.getuid?.() === 0 ? "user root;" : "";
      const main = `daemon off; ${user} pid ${folder}/nginx.pid; error_log stderr warn;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
${text}
}`;
      return { parameters: ["-p", folder, "-c", join(folder, "main.conf")], files: { "main.conf": main } };
    },
  },
  caddy: {
    sample: "Caddyfile",
    version: ["caddy", "version"],
    prepare(sample: string, { folder, port, backends }: Place): Prepared {
      const text = replaceAll(sample, [
        ["127.0.0.1:3000", `127.0.0.1:${backends[0]}`],
        ["crm.example.com {", `https://localhost:${port} {\n\ttls ${certificate.cert} ${certificate.key}`],
      ]);
      const main = `{\n\tadmin off\n\tauto_https off\n\tstorage file_system ${folder}\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n${text}`;
      const path = join(folder, "Caddyfile");
      return { parameters: ["run", "--adapter", "caddyfile", "--config", path], files: { Caddyfile: main } };
    },
  },
} as const;

export type ProxyName = keyof typeof proxies;
export const proxyNames = Object.keys(proxies) as ProxyName[];

/** Whether the machine has the program. */
export function isInstalled(name: ProxyName): boolean {
  const [program, ...parameters] = proxies[name].version;
  try {
    execFileSync(program!, parameters, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Its files by the sample, for a place. Throws if the sample has lost what is replaced. */
export function prepareProxy(name: ProxyName, place: Place): Prepared {
  const { sample, prepare } = proxies[name];
  return prepare(readFileSync(join(repository, "examples/proxy", sample), "utf8"), place);
}

/** Starts it in front of two ports; resolves when it accepts connections. */
export async function startProxy(name: ProxyName, backends: readonly [number, number]): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), `crm-${name}-`));
  const [port, plainPort] = [await freePort(), await freePort()];
  const { parameters, files } = prepareProxy(name, { folder, port, plainPort, backends });
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
  const running = startProcess(name, parameters, { environment: { HOME: folder }, timeoutSeconds: 300 });
  const died = running.finished.then(({ stderr }) => Promise.reject(new Error(`${name} ended: ${stderr}`)));
  died.catch(() => {});
  const listens = until(`${name} listens`, () =>
    openRaw(`http://127.0.0.1:${port}`).then(
      ({ socket }) => socket.destroy() !== undefined,
      () => false,
    ),
  );
  await Promise.race([listens, died]);
  return {
    port,
    async [Symbol.asyncDispose]() {
      running.signal("SIGTERM");
      await running.finished;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Fails if the sample has lost one of the texts. */
function replaceAll(text: string, replacements: readonly (readonly [from: string, to: string])[]): string {
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the sample has no ${from}`);
    return result.replaceAll(from, to);
  }, text);
}
