/** The scripts of both shells know every command, topic and flag that there is. */
import { join } from "node:path";
import { Config, settings } from "@oclif/core";
import { beforeAll, expect, test } from "vitest";
import { bashScript } from "../../terminal/completion/bash.ts";
import { stepsOf } from "../../terminal/completion/steps.ts";
import type { Step } from "../../terminal/completion/steps.ts";
import { zshScript } from "../../terminal/completion/zsh.ts";

let config: Config;
let steps: Step[];
beforeAll(async () => {
  settings.enableAutoTranspile = false;
  config = await Config.load({ root: join(import.meta.dirname, "../.."), userPlugins: false });
  steps = stepsOf(config);
});

test("every command and topic is a step, and is offered by the one before it", () => {
  const paths = [...config.commandIDs, ...config.topics.map(({ name }) => name)].map((id) => id.replaceAll(":", " "));
  expect(steps.map(({ path }) => path).toSorted()).toEqual(["", ...new Set(paths)].toSorted());
  for (const path of paths) {
    const words = path.split(" ");
    const before = steps.find((step) => step.path === words.slice(0, -1).join(" "));
    expect(before?.next.map(({ name }) => name)).toContain(words.at(-1));
  }
});

test("a value is a choice of words, a file, or what only a person knows", () => {
  const valueOf = (path: string, flag: string) =>
    steps.find((step) => step.path === path)?.flags.find(({ name }) => name === flag)?.value;
  expect(valueOf("users invite", "--role")).toEqual(["owner", "manager", "member"]);
  expect(valueOf("contacts import", "--refused")).toBe("file");
  expect(valueOf("contacts list", "--limit")).toBe("unknown");
  expect(valueOf("contacts import", "--dry-run")).toBeUndefined();
  expect(steps.find(({ path }) => path === "contacts import")?.argument).toBe("file");
  expect(steps.find(({ path }) => path === "contacts show")?.argument).toBe("unknown");
});

test.each([
  ["bash", bashScript],
  ["zsh", zshScript],
])("%s is told each of them", (_shell, write) => {
  const script = write(steps);
  for (const { path, flags } of steps) {
    expect(script).toContain(`"${path}")`);
    for (const { name } of flags) expect(script).toContain(name);
  }
});
