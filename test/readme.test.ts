/** README.md keeps its word: the walk-through is run as it is written, and prints what README shows; then docs/workflows.md is followed in the same folder. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLongRun } from "./support/chance.ts";
import { freePort } from "./support/free-port.ts";
import { followWorkflowsGuide, inClone, runScript, stepsBetween, stepsOf, toPattern } from "./support/guides.ts";
import { startOnTerminal } from "./support/pseudo-terminal.ts";
import { repository as root, startCrm } from "./support/node-process.ts";
import type { RunningProcess } from "./support/node-process.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");
const shownUrl = "http://127.0.0.1:3000";

const steps = stepsBetween("README.md", "walk-through");
const start = stepsOf(readme).find(({ command }) => command.includes("npm start"))!;

/** Blocks are told apart in the output by a character that no text has. */
const separator = "\u001E";

describe("the walk-through", () => {
  let directory: string;
  let service: RunningProcess;
  let url: string;
  let outputs: string[];
  /** What the first start prints on a terminal, beside its log. */
  let printed: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "crm-readme-"));
    // Everything else that a clone has stays out of reach: what README needs it must name.
    for (const name of ["bin", "examples"]) symlinkSync(join(root, name), join(directory, name));
    const first = startOnTerminal({ directory, environment: { CRM_PORT: "0" } }, ["serve"], {
      columns: 200,
      redirect: "2> log",
      program: ["node", "bin/crm.js"],
    });
    await using _ = first.process;
    await first.process.match(/\/docs$/m);
    first.interrupt();
    printed = (await first.process.finished).stdout.replaceAll("\r\n", "\n");
    service = startCrm(["serve"], { directory, environment: { CRM_PORT: "0" }, timeoutSeconds: 120 });
    url = (await service.match(/^crm listening on (\S+)$/m))[1]!;
    await service.match(/"started"/);

    const script = steps.map(({ command }) => `${command}printf '${separator}'`).join("\n");
    outputs = (await run(script.replaceAll(shownUrl, url))).split(separator);
  }, 240_000);

  const run = (script: string): Promise<string> => runScript({ directory, port: new URL(url).port }, script);

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
    expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts.start).toContain(
      "node bin/crm.js serve",
    );
    const [, origin = ""] = /^crm listening on (\S+)$/m.exec(printed)!;
    expect(printed).toMatch(toPattern(start.shows.replaceAll(shownUrl, origin)));
  });

  test.each(steps.map((step, place) => [step.command.split("\n")[0]!, step, place] as const))(
    "%s",
    (_name, { shows }, place) => {
      // Answers of curl end without a newline; README breaks the line for the reader.
      const printed = outputs[place]!.replaceAll(/\}(?=\{)/g, "}\n").replace(/(?<!\n)$/, "\n");
      expect(printed).toMatch(toPattern(shows.replaceAll(shownUrl, url)));
    },
  );

  test("webhooks on this machine, and then the guide of docs/workflows.md", async () => {
    const [register, listen, serve, send, look] = stepsBetween("README.md", "webhooks");
    const environment = { CRM_WEBHOOK_ALLOW_HTTP: "on", CRM_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1" };
    const [, secretFile = ""] = /^CRM_HOOK_SECRET_FILE=(\S+) crm hooks listen\n$/.exec(listen!.command)!;
    expect(serve!.command).toBe("CRM_WEBHOOK_ALLOW_HTTP=on CRM_WEBHOOK_ALLOWED_NETWORKS=127.0.0.1 npm start\n");
    const port = String(await freePort());

    service.signal("SIGTERM");
    await service.finished;
    await run(inClone + register!.command.replace("4000", port));
    await using receiver = startCrm(["hooks", "listen", "--port", port], {
      directory,
      environment: { CRM_HOOK_SECRET_FILE: secretFile },
    });
    await receiver.match(/Listening on/);
    await using again = startCrm(["serve"], {
      directory,
      timeoutSeconds: 300,
      environment: { ...environment, CRM_PORT: new URL(url).port },
    });
    await again.match(/^crm listening on/m);
    await run(`${inClone}api=${url}/api/v1\n${send!.command}`);
    await expect.poll(() => receiver.printed().stdout, { timeout: 30_000 }).toMatch(toPattern(send!.shows));
    // The receiver has answered a moment before that is written down.
    await expect
      .poll(() => run(inClone + look!.command), { timeout: 30_000, interval: 500 })
      .toMatch(toPattern(look!.shows));
    // The next guide continues with the running service. workflows-guide.test.ts follows it in a new folder.
    if (isLongRun) await followWorkflowsGuide({ directory, port: new URL(url).port });
  }, 300_000);
});
