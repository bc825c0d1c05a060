/** Executes `crm` with its arguments, without root's capability to bypass file permissions. */
import { join } from "node:path";
import process from "node:process";

const crm = [process.execPath, join(import.meta.dirname, "../../bin/crm.js"), ...process.argv.slice(2)];
const withoutRight = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];

process.execve!("/usr/bin/env", ["env", ...(process.getuid?.() === 0 ? withoutRight : []), ...crm], process.env);
