/** Refreshes of many installs at once, each over a connection of its own. Hand-written sockets, as in load.ts, so that a core is left to what is measured. */
import { connect } from "node:net";
import type { Socket } from "node:net";
import { refreshing } from "../support/marketplace.ts";

type RefreshingApp = Parameters<typeof refreshing>[0];

const headEnd = "\r\n\r\n";

/** Refreshes a second; each chain goes on from the token that it got last, and leaves it in its place of `tokens`. */
export async function refreshFor(
  port: number,
  app: RefreshingApp,
  tokens: string[],
  seconds: number,
  path = "/api/oauth/token",
): Promise<number> {
  const begun = performance.now();
  const ends = begun + seconds * 1000;
  let count = 0;

  async function keepRefreshing(place: number): Promise<void> {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    socket.setEncoding("latin1");
    try {
      while (performance.now() < ends) {
        tokens[place] = await refresh(socket, path, refreshing(app, tokens[place]!));
        count += 1;
      }
    } finally {
      socket.destroy();
    }
  }

  await Promise.all(tokens.map((_, place) => keepRefreshing(place)));
  return count / ((performance.now() - begun) / 1000);
}

/** Resolves to the next refresh token; rejects at any other answer. */
function refresh(socket: Socket, path: string, fields: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(fields).toString();
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/x-www-form-urlencoded\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
  return new Promise((resolve, reject) => {
    let answer = "";
    function hear(chunk: string): void {
      answer += chunk;
      const end = answer.indexOf(headEnd);
      if (end < 0) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer.slice(0, end))?.[1]);
      const text = answer.slice(end + headEnd.length);
      if (text.length < length) return;
      settle();
      if (answer.startsWith("HTTP/1.1 200 ")) resolve((JSON.parse(text) as { refresh_token: string }).refresh_token);
      else reject(new Error(`a refresh was answered with ${answer.slice(0, 500)}`));
    }
    function settle(): void {
      socket.off("data", hear).off("error", reject).off("close", closed);
    }
    function closed(): void {
      reject(new Error("the server closed a connection"));
    }
    socket.on("data", hear).on("error", reject).on("close", closed);
  });
}
