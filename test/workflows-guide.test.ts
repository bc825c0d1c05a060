/** docs/workflows.md keeps its word: its guide is followed as it is written, with a mail server that catches what is sent. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { freePort } from "./support/free-port.ts";
import { startCrm, startNode } from "./support/node-process.ts";

const root = join(import.meta.dirname, "..");
const guide = /<!-- guide: begin -->([^]*)<!-- guide: end -->/.exec(
  readFileSync(join(root, "docs/workflows.md"), "utf8"),
)![1]!;
const [setUp, submit, show, answer, look] = [...guide.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block!);
const [drawing] = [...guide.matchAll(/^```text\n([^]*?)^```$/gm)].map(([, block]) => block!);

test("a lead is welcomed by mail, answers, and the run ends as replied", async () => {
  const directory = mkdtempSync(join(tmpdir(), "crm-guide-"));
  // Everything else that a clone has stays out of reach: what the guide needs it must name.
  for (const name of ["bin", "examples"]) symlinkSync(join(root, name), join(directory, name));
  const [port, mailPort] = [String(await freePort()), String(await freePort())];
  const { PATH, HOME, TMPDIR } = process.env;
  const environment = { CRM_PORT: port };
  async function run(script: string): Promise<string> {
    // A function of the first block is known to those after it, as in one terminal.
    const [define] = setUp!.split("\n");
    const text = `set -eu -o pipefail\n${define}\n${script}`.replaceAll("localhost:1025", `localhost:${mailPort}`);
    const options = { cwd: directory, env: { PATH, HOME, TMPDIR, ...environment }, timeout: 60_000 };
    return (await promisify(execFile)("bash", ["-c", text], options)).stdout;
  }
  try {
    await using catcher = startNode([join(root, "examples/workflows/mail-catcher.ts"), mailPort], {
      timeoutSeconds: 120,
    });
    await catcher.match(/Catching mail/);
    await using service = startCrm(["serve"], { directory, environment, timeoutSeconds: 120 });
    await service.match(/^crm listening on/m);

    const tried = await run(setUp!);
    expect(tried).toMatch(/greet +send "Thank you, Ada" on channel 1\n/);
    expect(tried).toMatch(/hand_over +create task "Call Ada Lovelace, who has not answered", due in 1d\n/);
    expect(catcher.printed().stdout).not.toContain("ada@example.com");

    await run(submit!);
    await catcher.match(/── to ada@example\.com\n[^]*Subject: Thank you, Ada[^]*Hello Ada,/);
    await expect.poll(() => run(show!), { timeout: 20_000 }).toBe(drawing);

    await run(answer!);
    await expect.poll(() => run(look!), { timeout: 20_000 }).toMatch(/completed +listen +- +- +replied/);
    const story = await run(look!);
    for (const told of ["form.submitted", "run_started", "message.sent", "message.received", "run_finished"])
      expect(story).toContain(told);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}, 120_000);
