/** Long-running commands report their start with --json: one object per line, for the parent process. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds, freshDatabase } from "../support/databases.ts";
import { startCrm } from "../support/node-process.ts";
import { runInSession } from "../support/terminal-session.ts";

test.each(sampleOf("commands that go on, with --json", 1, databaseKinds))(
  "crm serve and crm worker with --json on %s",
  async (kind) => {
    const { url, directory, drop } = await freshDatabase(kind);
    const environment = { CRM_DATABASE_URL: url, CRM_DATA_DIR: directory, CRM_PORT: "0" };
    /** What the command printed until it was told to end. */
    async function printed(command: string): Promise<string> {
      await using running = startCrm([command, "--json"], { environment });
      await running.match(/\n/);
      running.signal("SIGTERM");
      const { code, stdout } = await running.finished;
      expect(code).toBe(0);
      return stdout;
    }
    try {
      const begun = await printed("serve");
      expect(begun).toMatch(/^.*\n$/);
      expect(JSON.parse(begun)).toEqual({
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        workspace: { id: 1, name: "My workspace" },
        location: { id: 1, name: "Main location" },
        api_key_file: join(directory, "api-key"),
      });
      expect(JSON.parse(await printed("serve"))).toEqual({
        url: expect.stringMatching(/^http:/),
        workspace: null,
        location: null,
        api_key_file: null,
      });
      expect(await printed("worker")).toBe('{"worker":"running"}\n');
      const once = await runInSession(["worker", "--once", "--json"], { environment });
      expect(once).toMatchObject({ code: 0, stdout: '{"worker":"done"}\n' });
    } finally {
      await drop();
    }
  },
);
