/** The example payment page runs as a process of its own, and its script passes through all steps of the guide. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { startCrm, startProcess } from "../support/node-process.ts";
import { createTerminal } from "../support/terminal.ts";

const folder = join(import.meta.dirname, "../../examples/payment-page");
const password = "correct horse battery";

test("from scripts alone a subscription goes its whole way", async () => {
  const terminal = await createTerminal("sqlite");
  try {
    const names = ["--workspace", "Acme", "--location", "Main Street", "--owner-email", "ada@acme.example"];
    const made = await terminal.run(["setup", ...names, "--owner-password-stdin"], { input: password });
    expect(made).toMatchObject({ code: 0 });
    await using serve = startCrm(["serve"], {
      environment: { ...terminal.environment, CRM_PORT: "0" },
      timeoutSeconds: 120,
    });
    const [, url] = await serve.match(/listening on (http:\S+)/);
    await using round = startProcess(join(folder, "round.sh"), [], {
      environment: {
        ...terminal.environment,
        CRM_BASE_URL: url!,
        EMAIL: "ada@acme.example",
        PASSWORD: password,
        PORT: String(await freePort()),
      },
      timeoutSeconds: 90,
    });
    const { code, stdout } = await round.finished;
    expect({ code, stdout: stdout.replaceAll(/(localhost|127\.0\.0\.1):\d+/g, "…") }).toEqual({
      code: 0,
      stdout: `allowed, and sent to http://…/pay
nothing is paid: incomplete
paid: active
http://…/callback has a code
{"ok":true}
declined: past_due
Reported to http://….
paid again: active
Uninstalled Example from Main Street.
taken out: canceled
`,
    });
  } finally {
    await terminal.close();
  }
}, 120_000);
