/** The snippets of docs/webhooks.md verify the service's signatures, in each language whose interpreter is installed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sign, toSigningKey } from "../../src/webhooks/signature.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/webhooks.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "crm-snippets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secret = "whsec_4bq0T1Xl0v0nq2o5cJ8eXqkq3l1xq4v7sQ2d9Zk1r0w";
const now = 1_772_366_400;
const body = '{"id":1,"data":{"name":"Zoë 😀"}}';
const keyOf = (text: string) => [toSigningKey(text)];
const good = sign(body, keyOf(secret), now * 1000);

/** [header, secret, body, verdict] */
const cases: readonly (readonly [what: string, header: string, secret: string, body: string, valid: boolean])[] = [
  ["what we sign", good, secret, body, true],
  ["a rotation", sign(body, [...keyOf("new"), ...keyOf(secret)], now * 1000), secret, body, true],
  ["five minutes ago", sign(body, keyOf(secret), (now - 300) * 1000), secret, body, true],
  ["longer ago", sign(body, keyOf(secret), (now - 301) * 1000), secret, body, false],
  ["the future", sign(body, keyOf(secret), (now + 301) * 1000), secret, body, false],
  ["another secret", good, "whsec_x", body, false],
  ["a changed byte", good, secret, body.replace("1", "2"), false],
  ["no header", "", secret, body, false],
  ["words", "signature", secret, body, false],
  ["no time", good.replace(/^t=\d+,/, ""), secret, body, false],
  ["no signature", `t=${now}`, secret, body, false],
  ["a short signature", good.slice(0, -2), secret, body, false],
];

/** How each language runs its snippet: a program around it reads the body from stdin, and prints true or false. */
const languages = {
  ts: {
    command: [process.execPath],
    file: "verify.ts",
    program: (snippet: string) => `${snippet}
const [header, secret] = process.argv.slice(2);
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk);
console.log(verify(Buffer.concat(chunks), header!, secret!, ${now}));
`,
  },
  python: {
    command: ["python3"],
    file: "verify.py",
    program: (snippet: string) => `${snippet}
import sys
print(str(verify(sys.stdin.buffer.read(), sys.argv[1], sys.argv[2], ${now})).lower())
`,
  },
  go: {
    command: ["go", "run"],
    file: "verify.go",
    program: (
      snippet: string,
    ) => `${snippet.replace("package webhooks", "package main").replace('"encoding/hex"', '"encoding/hex"\n\t"fmt"\n\t"io"\n\t"os"')}
func main() {
	body, _ := io.ReadAll(os.Stdin)
	fmt.Println(Verify(body, os.Args[1], os.Args[2], ${now}))
}
`,
  },
  php: {
    command: ["php"],
    file: "verify.php",
    program: (snippet: string) =>
      `${snippet}\necho verify(stream_get_contents(STDIN), $argv[1], $argv[2], ${now}) ? "true" : "false", "\\n";\n`,
  },
};

const at = (command: string): boolean =>
  spawnSync(command, [command === "go" ? "version" : "--version"]).error === undefined;
const present = Object.entries(languages).filter(([, { command }]) => at(command[0]!));
const absent = Object.keys(languages).filter((name) => !present.some(([other]) => other === name));
if (absent.length > 0)
  process.stdout.write(`snippets of docs/webhooks.md not run, for want of: ${absent.join(", ")}\n`);

test("there is a snippet for each language, once", () => {
  const found = [...page.matchAll(/^```(ts|python|go|php)$/gm)].map(([, name]) => name);
  expect(found).toEqual(Object.keys(languages));
});

describe.each(present)("%s", (name, { command, file, program }) => {
  const [, snippet = ""] = new RegExp(`^\`\`\`${name}\\n([^]*?)^\`\`\``, "m").exec(page) ?? [];
  const path = join(folder, file);
  writeFileSync(path, program(snippet));

  test.each(cases)("%s", (_what, header, key, sent, valid) => {
    const [program_, ...parameters] = command;
    const run = spawnSync(program_!, [...parameters, path, header, key], {
      input: sent,
      encoding: "utf8",
      timeout: 60_000,
    });
    expect([run.stdout.trim(), run.stderr]).toEqual([String(valid), ""]);
  });
});
