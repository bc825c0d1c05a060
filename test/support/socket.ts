/** A raw connection to the service, for what no well-behaved client sends. */
import { connect } from "node:net";
import type { Socket } from "node:net";

export interface RawConnection {
  readonly socket: Socket;
  write(text: string): void;
  /** All that came back so far. */
  received(): string;
  /** Resolves when what came back matches. Rejects after `patience` milliseconds. */
  until(pattern: RegExp, patience?: number): Promise<string>;
  /** Resolves when the other side has closed. */
  closed(patience?: number): Promise<void>;
}

export function openRaw(baseUrl: string): Promise<RawConnection> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let text = "";
    let ended = false;
    const watchers = new Set<() => void>();
    const changed = (): void => {
      for (const watcher of watchers) watcher();
    };
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      text += chunk;
      changed();
    });
    socket.on("close", () => {
      ended = true;
      changed();
    });
    socket.on("error", () => {});
    socket.once("error", reject);

    function watch(done: () => boolean, patience: number, what: string): Promise<void> {
      return new Promise((settle, fail) => {
        const timer = setTimeout(() => {
          watchers.delete(check);
          fail(new Error(`${what} within ${patience} ms; received: ${JSON.stringify(text)}`));
        }, patience);
        function check(): void {
          if (!done()) return;
          clearTimeout(timer);
          watchers.delete(check);
          settle();
        }
        watchers.add(check);
        check();
      });
    }

    socket.once("connect", () =>
      resolve({
        socket,
        write: (chunk) => void socket.write(chunk),
        received: () => text,
        async until(pattern, patience = 15_000) {
          await watch(() => pattern.test(text), patience, `nothing matched ${pattern}`);
          return text;
        },
        closed: (patience = 8000) => watch(() => ended, patience, "not closed"),
      }),
    );
  });
}

/** The head of a POST, whole; `lines` are further headers. */
export function postHead(key: string, lines: readonly string[], path = "/api/v1/contacts"): string {
  return [`POST ${path} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${key}`, ...lines, "", ""].join("\r\n");
}
