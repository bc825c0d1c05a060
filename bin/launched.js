// What an older Node starts on the local one: it ends with the process that started it, whatever ends that.
import { fileURLToPath } from "node:url";

const end = () => process.kill(process.pid, "SIGTERM");
// The channel only tells that the other side is there: a process that has nothing more to do ends.
process.once("disconnect", end).channel?.unref();
// Cluster workers run the script that stands here. Their channel is the supervisor's, and they need no launcher: this Node is recent enough.
process.argv[1] = fileURLToPath(new URL("crm.js", import.meta.url));

// It may have ended before this file was read.
if (process.connected) await import("./oclif.js");
else end();
