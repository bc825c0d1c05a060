/** The URL at which a service listens by its settings, where CRM_BASE_URL names none. */
import type { Settings } from "../../../config/settings.ts";

export type ListeningSettings = Pick<Settings, "host" | "port" | "tlsCert">;

/** Without a trailing slash. */
export function toListeningUrl({ host, port, tlsCert }: ListeningSettings): string {
  return `${tlsCert === null ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
