// Runs in the local Node that an older Node has spawned: exits with the parent process, however that ends.
import { fileURLToPath } from "node:url";

const end = () => process.kill(process.pid, "SIGTERM");
// The channel only detects the parent's exit: it does not keep the process alive.
process.once("disconnect", end).channel?.unref();
// Cluster workers run this script too. Their channel belongs to the supervisor, and they need no launcher: this Node is
// recent enough.
process.argv[1] = fileURLToPath(new URL("crm.js", import.meta.url));

// The parent may have exited before this file was loaded.
if (process.connected) await import("./oclif.js");
else end();
