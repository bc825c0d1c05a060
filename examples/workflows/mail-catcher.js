/** A mail server for trying things out: takes every mail on this machine, prints it, and delivers none. `node mail-catcher.js [PORT]` */
import { createServer } from "node:net";
import { createInterface } from "node:readline";

const port = Number(process.argv[2] ?? 1025);

const server = createServer(async (socket) => {
  const answer = (/** @type {string} */ line) => socket.write(`${line}\r\n`);
  socket.on("error", () => {});
  answer("220 localhost catches mail");

  /** @type {string[]} */
  let recipients = [];
  /** @type {string[] | undefined} */
  let mail;
  for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (mail !== undefined) {
      if (line !== ".") {
        // A line that begins with a dot comes with a second one in front (RFC 5321).
        mail.push(line.startsWith(".") ? line.slice(1) : line);
        continue;
      }
      process.stdout.write(`── to ${recipients.join(", ")}\n${mail.join("\n")}\n`);
      mail = undefined;
      recipients = [];
      answer("250 Caught");
      continue;
    }
    const [, recipient] = /^RCPT TO:\s*<([^>]*)>/i.exec(line) ?? [];
    const verb = line.slice(0, 4).toUpperCase();
    if (recipient !== undefined) recipients.push(recipient);
    if (verb === "RSET") recipients = [];
    if (verb === "DATA") mail = [];
    if (verb === "DATA") answer("354 End with a dot on a line of its own");
    else if (verb === "QUIT") socket.end("221 Bye\r\n");
    else if (["EHLO", "HELO", "MAIL", "RCPT", "RSET", "NOOP"].includes(verb)) answer("250 localhost");
    else answer("502 Not known here");
  }
});

server.listen(port, "127.0.0.1", () => process.stdout.write(`Catching mail on smtp://localhost:${port}\n`));
