/** `crm mcp` */
import { once } from "node:events";
import { Flags } from "@oclif/core";
import type { AnsweredOpening } from "../src/agents/direct/opening.ts";
import { scopeNames, within } from "../src/vocabulary/scopes.ts";
import { CrmCommand } from "../terminal/command.ts";
import { locationFlags } from "../terminal/input/flags.ts";
import { stopSignal } from "../terminal/signals.ts";

export default class Mcp extends CrmCommand {
  static override description = `Serves an agent on this machine: the Model Context Protocol over standard input and output.

The agent acts as the operator, in one location with --location, with the scopes of --scope. Agents elsewhere use POST /mcp of the service with an API key.`;
  static override jsonResult = "messages of the protocol, one per line, with --json and without";
  static override examples = [
    "<%= config.bin %> mcp --readonly",
    "<%= config.bin %> mcp --location 1 --scope contacts.write --scope tasks.write",
  ];
  static override flags = {
    ...locationFlags,
    scope: Flags.option({
      description: "A scope that the agent holds, repeatable; all by default.",
      options: scopeNames,
      multiple: true,
      multipleNonGreedy: true,
    })(),
    readonly: Flags.boolean({ description: "Only tools that change nothing." }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Mcp);
    const held = flags.scope ?? scopeNames;
    const scopes = flags.readonly
      ? within(
          held,
          scopeNames.filter((scope) => scope.endsWith(".readonly")),
        )
      : held;
    const stopped = stopSignal();

    const answered = await this.answerFirst();
    const opened = this.openService();
    const session = opened.then(async (service) => {
      const { openAgentSession } = await import("../terminal/agent-session.ts");
      return openAgentSession(service, { ...flags, scopes });
    });
    const { serveAgent } = await import("../src/agents/stdio.ts");
    const log = await this.openLog(this.settings());
    const served = serveAgent({
      version: this.config.version,
      answered,
      tools: async () => {
        const [{ createTools }, { endpoints }] = await Promise.all([
          import("../src/agents/tools.ts"),
          import("../src/operations.ts"),
        ]);
        return createTools(endpoints);
      },
      session: () => session,
      report: (error) => log.error("a request failed", { error }),
    });
    try {
      // A service that cannot be opened ends the command; otherwise the agent does.
      await session;
      await Promise.race([served.ended, once(stopped, "abort")]);
    } finally {
      await served.close();
      await opened.then((service) => service.close()).catch(() => {});
    }
  }

  /** Answers the handshake before the service is loaded and opened, which takes several times as long. */
  private async answerFirst(): Promise<AnsweredOpening | undefined> {
    const [{ peekFirstLine }, { answerOpening }] = await Promise.all([
      import("../terminal/input/first-line.ts"),
      import("../src/agents/direct/opening.ts"),
    ]);
    const line = await peekFirstLine();
    const opening = line === undefined ? undefined : answerOpening(line, this.config.version);
    if (opening !== undefined) process.stdout.write(opening.answer);
    return opening;
  }
}
