/** Every transport. A new one is a file here and a line in this list: schema, checks, sending, terminal and documents fold over it. */
import { httpTransport } from "./http.transport.ts";
import { logTransport } from "./log.transport.ts";
import { smtpTransport } from "./smtp.transport.ts";
import { createTransports } from "./transports.ts";

export const channelTransports = createTransports([logTransport, smtpTransport, httpTransport]);
