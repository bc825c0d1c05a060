/** Explains in one sentence why an address cannot be listened on, and what to change. */
import { createServer } from "node:net";

/** How the port is chosen. */
const usual = "--port, CRM_PORT";

/** Translates `error` of listhen, which checks the port itself and does not give the reason. */
export async function toListenError(error: unknown, host: string, port: number, setting = usual): Promise<Error> {
  const code = codeOf(error) ?? codeOf(await refusalOf(host, port));
  return code === undefined ? notThatPort(port) : new Error(sentenceOf(code, host, port, setting));
}

/** `code` is the error code of the operating system. */
export function sentenceOf(code: string, host: string, port: number, setting = usual): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use by another program or another crm: choose another (${setting}).`;
    case "EACCES":
      return `Port ${port} needs privileges that this user lacks: choose a port above 1023 (${setting}).`;
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
      return `${host} is not an address of this machine: choose one that is, or 0.0.0.0 for all (--host, CRM_HOST).`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} does not resolve to an address: choose another (--host, CRM_HOST).`;
    default:
      return `Cannot listen on port ${port} of ${host} (${code}): check --host and --port.`;
  }
}

/** No browser opens a page of such a port. */
export function notThatPort(port: number): Error {
  return new Error(
    `Port ${port} is reserved for another protocol and blocked by browsers: choose another (--port, CRM_PORT).`,
  );
}

/** The error code of a second attempt to listen; undefined if it succeeds. */
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
