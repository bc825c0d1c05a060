/** log: stores messages, for calls, and for messages that another tool sends. */
import type { Transport } from "./transports.ts";

export const logTransport: Transport = {
  name: "log",
  accepts: "sent",
  kinds: null,
  title: "Nothing: messages are only stored",
  about: "nothing: messages are only stored, for calls, and for messages that another tool sends",
  summary: "only stores them",
};
