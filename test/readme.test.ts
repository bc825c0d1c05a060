/** README.md keeps its word: the walk-through is run as it is written, and prints what README shows. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "./support/free-port.ts";
import { startCrm } from "./support/node-process.ts";
import type { RunningProcess } from "./support/node-process.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const shownUrl = "http://127.0.0.1:3000";

/** A command of README, and the text that it shows below. */
interface Step {
  readonly command: string;
  readonly shows: string;
}

/** Every ```sh block of `text`, with the ```text block that follows it, if one does before the next command. */
function stepsOf(text: string): Step[] {
  const steps: { command: string; shows: string }[] = [];
  for (const [, kind, content] of text.matchAll(/^```(sh|text)\n([^]*?)^```$/gm)) {
    if (kind === "sh") steps.push({ command: content!, shows: "" });
    else steps.at(-1)!.shows = content!;
  }
  return steps;
}

const part = (name: string): string =>
  new RegExp(`<!-- ${name}: begin -->([^]*)<!-- ${name}: end -->`).exec(readme)?.[1] ?? "";
const steps = stepsOf(part("walk-through"));
const start = stepsOf(readme).find(({ command }) => command.includes("npm start"))!;

/** `…` stands for anything within a line; a line of it alone for any number of lines. */
function toPattern(shown: string): RegExp {
  const lines = shown.split("\n").map((line) =>
    line === "…"
      ? "[^]*"
      : line
          .split("…")
          .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
          .join(".*"),
  );
  return new RegExp(`^${lines.join("\n")}$`);
}

/** Blocks are told apart in the output by a character that no text has. */
const separator = "\u001E";

describe("the walk-through", () => {
  let directory: string;
  let service: RunningProcess;
  let url: string;
  let outputs: string[];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "crm-readme-"));
    // Everything else that a clone has stays out of reach: what README needs it must name.
    symlinkSync(join(root, "bin"), join(directory, "bin"));
    service = startCrm(["serve"], { directory, environment: { CRM_PORT: "0" }, timeoutSeconds: 120 });
    url = (await service.match(/^crm listening on (\S+)$/m))[1]!;
    await service.match(/\/docs$/m);

    const script = ["set -eu -o pipefail", ...steps.map(({ command }) => `${command}printf '${separator}'`)].join("\n");
    outputs = (await run(script.replaceAll(shownUrl, url))).split(separator);
  }, 90_000);

  /** What a script of bash prints on stdout. */
  async function run(script: string): Promise<string> {
    const { PATH, HOME, TMPDIR } = process.env;
    const options = { cwd: directory, env: { PATH, HOME, TMPDIR }, timeout: 60_000 };
    return (await promisify(execFile)("bash", ["-c", script], options)).stdout;
  }

  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });

  test("is there", () => expect(steps.length).toBeGreaterThan(5));

  test("leaves no file that others could read", () => {
    const data = join(directory, "data");
    const open = readdirSync(data).filter((name) => (statSync(join(data, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
    expect(readdirSync(data)).toEqual(expect.arrayContaining(["api-key", "headers", "front-desk"]));
  });

  test("begins with what npm start prints", () => {
    expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts.start).toBe("node bin/crm.js serve");
    expect(service.printed().stdout).toMatch(toPattern(start.shows.replaceAll(shownUrl, url)));
  });

  test.each(steps.map((step, place) => [step.command.split("\n")[0]!, step, place] as const))(
    "%s",
    (_name, { shows }, place) => {
      // Answers of curl end without a newline; README breaks the line for the reader.
      const printed = outputs[place]!.replaceAll(/\}(?=\{)/g, "}\n").replace(/(?<!\n)$/, "\n");
      expect(printed).toMatch(toPattern(shows.replaceAll(shownUrl, url)));
    },
  );

  test("webhooks on this machine", async () => {
    const [register, listen, serve, send, look] = stepsOf(part("webhooks"));
    const environment = { CRM_WEBHOOK_ALLOW_HTTP: "on", CRM_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1" };
    const [, secretFile = ""] = /^CRM_HOOK_SECRET_FILE=(\S+) node bin\/crm\.js hooks listen\n$/.exec(listen!.command)!;
    expect(serve!.command).toBe("CRM_WEBHOOK_ALLOW_HTTP=on CRM_WEBHOOK_ALLOWED_NETWORKS=127.0.0.1 npm start\n");
    const port = String(await freePort());

    service.signal("SIGTERM");
    await service.finished;
    await run(register!.command.replace("4000", port));
    await using receiver = startCrm(["hooks", "listen", "--port", port], {
      directory,
      environment: { CRM_HOOK_SECRET_FILE: secretFile },
    });
    await receiver.match(/Listening on/);
    await using again = startCrm(["serve"], {
      directory,
      environment: { ...environment, CRM_PORT: new URL(url).port },
    });
    await again.match(/^crm listening on/m);
    await run(`api=${url}/api/v1\n${send!.command}`);
    await expect.poll(() => receiver.printed().stdout, { timeout: 10_000 }).toMatch(toPattern(send!.shows));
    // The receiver has answered a moment before that is written down.
    await expect.poll(() => run(look!.command), { timeout: 10_000 }).toMatch(toPattern(look!.shows));
  }, 60_000);
});
