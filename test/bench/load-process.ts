/** Starts the load generator as a process of its own and hands it slices of load. */
import { fork } from "node:child_process";
import { join } from "node:path";
import type { Measured, Slice } from "./load.ts";

export interface Load {
  /** Answers a second. Serials never repeat within one Load. */
  measure(slice: Omit<Slice, "serial">): Promise<number>;
  close(): void;
}

type Told = { readonly measured: Measured } | { readonly failure: string };

export function startLoad(): Load {
  const child = fork(join(import.meta.dirname, "load.ts"));
  let serial = 1_000_000;

  function run(slice: Slice): Promise<Measured> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error("the load generator ended"));
      child.once("exit", gone);
      child.once("message", (told: Told) => {
        child.off("exit", gone);
        if ("measured" in told) resolve(told.measured);
        else reject(new Error(told.failure));
      });
      child.send(slice);
    });
  }

  return {
    async measure(slice) {
      const { answers, seconds, nextSerial } = await run({ ...slice, serial });
      serial = nextSerial;
      if (serial > 9_999_999) throw new Error("the serials have more than seven digits");
      return answers / seconds;
    },
    close: () => void child.kill(),
  };
}
