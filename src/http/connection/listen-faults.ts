/** Says in one sentence why nothing can listen at an address, and what to change. */
import { createServer } from "node:net";

/** The error to throw instead of `error`, with which listhen refused: it looks by itself whether a port is free, and does not say why not. */
export async function toListenError(error: unknown, host: string, port: number): Promise<Error> {
  const code = codeOf(error) ?? codeOf(await refusalOf(host, port));
  return code === undefined ? notThatPort(port) : new Error(sentenceOf(code, host, port));
}

/** `code` is what the operating system refused with. */
export function sentenceOf(code: string, host: string, port: number): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is taken by another program, or by a crm that runs already: choose another (--port, CRM_PORT).`;
    case "EACCES":
      return `Port ${port} needs rights that this user does not have: choose one above 1023 (--port, CRM_PORT).`;
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
      return `${host} is no address of this machine: choose one that is, or 0.0.0.0 for all (--host, CRM_HOST).`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} is a name that stands for no address: choose one that does (--host, CRM_HOST).`;
    default:
      return `Nothing can listen at port ${port} of ${host} (${code}): see --host and --port.`;
  }
}

/** listhen passes over the ports of some other protocols, and takes another in their place. */
export function notThatPort(port: number): Error {
  return new Error(
    `Port ${port} belongs to another protocol, and browsers open nothing there: choose another (--port, CRM_PORT).`,
  );
}

/** What the operating system says to somebody else who tries the same; undefined when it says nothing. */
function refusalOf(host: string, port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const attempt = createServer();
    attempt.once("error", resolve);
    attempt.listen({ host, port }, () => attempt.close(() => resolve(undefined)));
  });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
