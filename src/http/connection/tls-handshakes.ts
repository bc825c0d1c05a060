/** Connections whose TLS handshake is not complete: no request can come of them yet, and a stop does not wait for them. */
import type { Server as TlsServer } from "node:https";
import type { Server } from "node:http";
import type { Socket } from "node:net";

interface Handshakes {
  /** Closes them. */
  cut(): void;
}

/** `begun` is called for each connection when it is accepted. */
export function watchHandshakes(server: Server | TlsServer, { begun }: { readonly begun: () => void }): Handshakes {
  /** By the client's address: Node shows the encrypted connection as another socket. */
  const greeting = new Map<string, Socket>();
  const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

  server.on("connection", (socket: Socket) => {
    begun();
    const name = nameOf(socket);
    greeting.set(name, socket);
    socket.once("close", () => greeting.delete(name));
  });
  server.on("secureConnection", (socket: Socket) => greeting.delete(nameOf(socket)));
  server.on("tlsClientError", (_error: Error, socket: Socket) => socket.destroy());

  return {
    cut() {
      for (const socket of greeting.values()) socket.destroy();
    },
  };
}
