/** `crm search rebuild`: what it prints, on both databases. */
import { expect, onTestFinished, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";

test.each(sampleOf("commands: search rebuild", 1, databaseKinds))(
  "on %s, it says how many records are indexed",
  async (kind) => {
    const terminal = await createTerminal(kind);
    onTestFinished(() => terminal.close());
    await setUpAcme(terminal);
    await terminal.json("contacts", "create", "--first-name", "Ada");
    await terminal.json("tasks", "add", "Call Ada");
    expect(await terminal.run(["search", "rebuild"])).toMatchObject({
      code: 0,
      stdout: "Indexed contacts: 1.\nIndexed opportunities: 0.\nIndexed tasks: 1.\n",
      stderr: "",
    });
    expect(await terminal.json("search", "rebuild")).toEqual({ contacts: 1, opportunities: 0, tasks: 1 });
  },
);
