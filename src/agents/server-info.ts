/** What the service calls itself to clients of the protocol. */
export function serverInfo(version: string): { name: string; title: string; version: string } {
  return { name: "crm", title: "crm", version };
}
