/** A service on a terminal that is ended in the middle of a request, and what comes of both. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startOnTerminal } from "./pseudo-terminal.ts";
import type { Watched } from "./pseudo-terminal.ts";
import { openRaw, postHead } from "./socket.ts";
import type { RawConnection } from "./socket.ts";

export interface ServiceStart {
  /** A data folder. */
  readonly data: string;
  /** The working directory; the data folder unless another one is given. */
  readonly directory?: string;
  readonly environment?: Record<string, string>;
  /** The words that start `crm serve`. */
  readonly program: readonly string[];
  readonly processes: number;
}

export type Ending =
  | readonly ["kill" | "kill the group" | "kill after SIGHUP", NodeJS.Signals]
  | readonly ["Ctrl-C"]
  | readonly ["close the terminal"];

/** Milliseconds that a busy machine may take to answer. */
const patience = 15_000;

/**
 * Starts a service, sends it half a request, ends it, and sends the other half once it takes no more connections. A stop that is graceful
 * answers it; one that is counted twice cuts it off.
 */
export async function endAmidRequest(
  { data, directory = data, environment, program, processes }: ServiceStart,
  ending: Ending,
) {
  const watched = startOnTerminal({ directory: data, environment: {} }, [], {
    workingDirectory: directory,
    columns: 200,
    staysOpen: true,
    program,
    timeoutSeconds: 120,
    environment: {
      CRM_PORT: "0",
      CRM_DATA_DIR: data,
      CRM_LOG_FORMAT: "json",
      CRM_PROCESSES: String(processes),
      ...environment,
    },
  });
  await using service = watched.process;
  const [, url = ""] = await service.match(/crm listening on (\S+)/);
  await service.match(times(/"message":"started"/, processes));
  if (ending[0] === "kill after SIGHUP") {
    watched.signal("SIGHUP");
    await service.match(/"message":"reloaded"/);
  }
  const half = await openHalfRequest(url, data);
  end(watched, ending);
  await untilRefused(url);
  half.finish();
  await half.closed(patience);
  const { code, stdout } = await service.finished;
  const complaints = stdout.split("\n").filter((line) => /"level":"(?!info")/.test(line));
  return { code, answers: half.received().match(/HTTP\/1\.1 \d+/g), complaints };
}

export interface HalfRequest extends RawConnection {
  /** Sends the rest of it. */
  finish(): void;
}

/** A contact is created on a connection of its own, and a second one on the same, of which the end of the body is missing. */
export async function openHalfRequest(url: string, data: string): Promise<HalfRequest> {
  const key = readFileSync(join(data, "api-key"), "utf8").trim();
  const body = JSON.stringify({ location_id: 1, first_name: "Ada", last_name: "Lovelace" });
  const request = postHead(key, ["Content-Type: application/json", `Content-Length: ${body.length}`]) + body;
  const connection = await openRaw(url);
  connection.write(request);
  await connection.until(/^HTTP\/1.1 201/, patience);
  connection.write(request.slice(0, -10));
  return { ...connection, finish: () => connection.write(request.slice(-10)) };
}

function end(watched: Watched, ending: Ending): void {
  if (ending[0] === "close the terminal") return watched.process.signal("SIGKILL");
  if (ending[0] === "Ctrl-C") return watched.pressCtrlC();
  watched.signal(ending[1], ending[0] === "kill the group" ? "group" : undefined);
}

/** Resolves when no new connection is to be had. */
async function untilRefused(url: string): Promise<void> {
  for (;;) {
    try {
      (await openRaw(url)).socket.destroy();
    } catch {
      return;
    }
    await sleep(20);
  }
}

function times({ source }: RegExp, count: number): RegExp {
  return new RegExp(`(?:${source}[^]*){${count}}`);
}
