/** All static checks, in parallel, with their durations. */
import { spawn } from "node:child_process";

const checks: Record<string, string> = {
  format: "oxfmt --check",
  lint: "oxlint",
  types: "tsc --noEmit",
  browser: "tsc --noEmit -p tsconfig.browser.json",
  client: "tsc --noEmit -p client",
  unused: "knip",
  architecture: "vitest run --reporter=dot test/architecture.test.ts",
};

type Outcome = { name: string; command: string; passed: boolean; seconds: number; said: string };

const started = performance.now();
const outcomes = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)));
const failed = outcomes.filter((outcome) => !outcome.passed);

for (const { name, command, said } of failed) console.log(`\n── ${name}: ${command}\n${said.trimEnd()}`);
console.log(
  failed.length === 0
    ? `check passed in ${secondsSince(started)} s`
    : `\ncheck failed: ${failed.map(({ name }) => name).join(", ")}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs one check and prints its line; its output is kept for a failure. */
async function run(name: string, command: string): Promise<Outcome> {
  const from = performance.now();
  const [program = "", ...parameters] = command.split(" ");
  const child = spawn(program, parameters, { stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk));

  const passed = await new Promise<boolean>((resolve) => {
    child.on("error", (error) => {
      said += error.message;
      resolve(false);
    });
    child.on("close", (code) => resolve(code === 0));
  });
  const seconds = secondsSince(from);
  console.log(`${passed ? "✓" : "✗"} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(5)} s`);
  return { name, command, passed, seconds, said };
}

function secondsSince(start: number): number {
  return Math.round((performance.now() - start) / 100) / 10;
}
