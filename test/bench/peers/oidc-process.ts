/**
 * An authorization server by oidc-provider that keeps all in memory, with so many refresh tokens that its own models issued. Arguments: the
 * folder in which it is installed, and the tokens. Sends the port, the client and the tokens once it listens.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { loaderOf } from "./installed.ts";
import { Memory } from "./oidc-memory.ts";

const [, , folder = "", count = ""] = process.argv;
const { default: Provider } = await import(pathToFileURL(loaderOf(folder).resolve("oidc-provider")).href);

const client = { client_id: "app", client_secret: "app-secret-0123456789abcdef" };
const scope = "offline_access contacts.readonly contacts.write";
const [day, year] = [86_400, 31_536_000];

const server = createServer();
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;

const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: Memory,
  clients: [
    {
      ...client,
      redirect_uris: ["http://127.0.0.1/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "client_secret_post",
    },
  ],
  scopes: scope.split(" "),
  cookies: { keys: ["bench"] },
  features: { devInteractions: { enabled: false } },
  rotateRefreshToken: true,
  ttl: { AccessToken: day, RefreshToken: year, Grant: year },
  findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
});

server.on("request", provider.callback());
process.send!({ port, client, tokens: await Promise.all(Array.from({ length: Number(count) }, issue)) });
process.on("disconnect", () => process.exit());

/** A refresh token of an account and a grant of its own. */
async function issue(_: unknown, number: number): Promise<string> {
  const accountId = `user${number}`;
  const grant = new provider.Grant({ accountId, clientId: client.client_id });
  grant.addOIDCScope(scope);
  const grantId = await grant.save();
  const authTime = Math.floor(Date.now() / 1000);
  const token = { accountId, grantId, scope, gty: "authorization_code", expiresWithSession: false, authTime };
  return new provider.RefreshToken({ ...token, client: await provider.Client.find(client.client_id) }).save();
}
