/** Has a command line run by the process behind a socket (session-door.ts), with the stdin, the folder and the settings that this process has. */
import { fstatSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { CommandEnd, CommandLine } from "./session-process.ts";

const [, , path = "", ...parameters] = process.argv;
const stdin = fstatSync(0);
const settings = Object.entries(process.env).filter(([name]) => name.startsWith("CRM_"));
const line: CommandLine = {
  parameters,
  environment: Object.fromEntries(settings) as Record<string, string>,
  directory: process.cwd(),
  // What a script itself was started with stays open: only a file or a pipe of its own comes to an end.
  input: stdin.isFile() || stdin.isFIFO() ? readFileSync(0, "utf8") : "",
};
const door = connect(path);
door.end(JSON.stringify(line));
const { code, stdout, stderr } = JSON.parse(await text(door)) as CommandEnd;
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
