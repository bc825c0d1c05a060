// What an older Node starts on the local one: it ends with the process that started it, whatever ends that.
const end = () => process.kill(process.pid, "SIGTERM");
// The channel only tells that the other side is there: a process that has nothing more to do ends.
process.once("disconnect", end).channel?.unref();

// It may have ended before this file was read.
if (process.connected) await import("./oclif.js");
else end();
