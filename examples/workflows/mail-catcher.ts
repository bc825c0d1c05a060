/** A mail server for trying things out: takes every mail on this machine, prints it, and delivers none. `npx node mail-catcher.ts [PORT]` */
import { SMTPServer } from "smtp-server";

const port = Number(process.argv[2] ?? 1025);

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, { envelope }, done) {
    process.stdout.write(`── to ${envelope.rcptTo.map(({ address }) => address).join(", ")}\n`);
    stream.pipe(process.stdout, { end: false });
    stream.on("end", () => done());
  },
});

server.listen(port, "127.0.0.1", () => process.stdout.write(`Catching mail on smtp://localhost:${port}\n`));
