/** The mode of the write-ahead log, and its length on SQLite. */
import { readWriteAheadLog } from "../../storage/inspection/server-settings.ts";
import { ok, warning } from "../check.ts";
import type { Check, Data } from "../check.ts";

export const writeAheadLog: Check<Data> = {
  name: "write-ahead log",
  async examine({ database }) {
    const { mode, fault } = await readWriteAheadLog(database);
    return fault === undefined ? ok(`its mode is ${mode}`) : warning(fault.found, fault.remedy);
  },
};
