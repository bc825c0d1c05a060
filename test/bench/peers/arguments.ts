/** The arguments that all scripts of this folder take, and the folder in which the peers are installed. */
import { resolve } from "node:path";
import { kinds } from "../ground.ts";
import type { Kind } from "../ground.ts";

interface Arguments {
  /** Where the peers are installed. */
  readonly folder: string;
  readonly kind: Kind;
  /** The name of crm on that database, for tables. */
  readonly crm: string;
  readonly rounds: number;
  /** What follows the rounds. */
  readonly more: string | undefined;
}

/** Of `SCRIPT [sqlite|postgres] [ROUNDS] [MORE]`; ends the process with the usage if they are wrong. */
export function argumentsOf(usage: string): Arguments {
  const folder = process.env["PEERS"];
  const [, , database = "sqlite", rounds = "3", more] = process.argv;
  const kind = kinds.find((known) => known === database);
  if (folder === undefined || kind === undefined || !/^[1-9]\d?$/.test(rounds)) {
    console.error(`PEERS=FOLDER node test/bench/peers/${usage}: see test/bench/peers/README.md`);
    process.exit(2);
  }
  const crm = `crm on ${kind === "sqlite" ? "SQLite" : "PostgreSQL"}`;
  return { folder: resolve(folder), kind, crm, rounds: Number(rounds), more };
}
