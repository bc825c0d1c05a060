/** The mark of a process distinguishes a dead process from a running one, even with a reused process id or as a zombie. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, test } from "vitest";
import { hasEnded, readOwnMark } from "../../src/kit/process-mark.ts";
import { startNode, startProcess } from "../support/node-process.ts";

const marking = `import("${import.meta.resolve("../../src/kit/process-mark.ts")}").then(({ readOwnMark }) => {
  console.log("mark " + JSON.stringify(readOwnMark()));
  setInterval(() => {}, 1000);
})`;
/** Its child ends without being reaped, a zombie: not before the shell, which would reap it, has become another program. */
const leaving = "(until grep -q sleep /proc/$$/comm; do :; done) & echo left $!; exec sleep 60";

describe.runIf(process.platform === "linux")("the mark of a process", () => {
  const own = readOwnMark()!;

  test.each<[what: string, changed: object, ended: boolean]>([
    ["that runs", {}, false],
    ["that had the id before", { startedAt: own?.startedAt - 1 }, true],
    ["that has the id after", { startedAt: own?.startedAt + 1 }, true],
    ["whose id nobody has", { pid: 2 ** 30 }, true],
  ])("of one %s", (_what, changed, ended) => {
    expect(hasEnded({ ...own, ...changed })).toBe(ended);
  });

  it("is the same on the whole machine, and ends with the process", async () => {
    await using child = startNode(["-e", marking]);
    const mark = JSON.parse((await child.match(/mark (.*)/))[1]!);
    expect(mark).toMatchObject({ machine: own.machine, pid: child.pid });
    expect(hasEnded(mark)).toBe(false);
    child.signal("SIGKILL");
    await child.finished;
    expect(hasEnded(mark)).toBe(true);
  });

  it("of one that has ended and waits for its parent to read how", async () => {
    await using parent = startProcess("sh", ["-c", leaving]);
    const pid = Number((await parent.match(/left (\d+)/))[1]);
    while (!hasEnded({ pid, startedAt: startOf(pid) })) await sleep(10);
    expect(statOf(pid)).toMatch(/^\d+ \(sh\) Z/);
  });
});

function statOf(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, "utf8");
}

/** Its own: what has ended is told by the state alone. */
function startOf(pid: number): number {
  return Number(
    statOf(pid)
      .replace(/^.*\) /, "")
      .split(" ")[19],
  );
}
