/** A running service with two workspaces that must never see each other: what contract tests play in. */
import { createConsola } from "consola";
import { loadSettings } from "../../config/settings.loading.ts";
import { startServer } from "../../src/server.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import type { ApiKeyInput } from "../../src/tenancy/api-keys/api-key.schema.ts";
import { createApiKey, revokeApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import { createWorkspace } from "../../src/tenancy/workspaces/workspace.service.ts";
import { scopeNames } from "../../src/vocabulary/scopes.ts";
import { answerJudge } from "./answers.ts";
import { request } from "./client.ts";
import type { HttpAnswer, HttpRequest } from "./client.ts";
import { freshDatabase } from "./databases.ts";
import type { DatabaseKind } from "./databases.ts";
import { ManualClock } from "./manual-clock.ts";
import { payloadOf } from "./events.ts";
import { judgeRequests } from "./workspaces/request-statements.ts";

/** Who asks: `owner` may do everything in workspace Acme; `stranger` everything in workspace Other. */
export type Asker =
  | "owner"
  | "northOnly"
  | "readonly"
  | "noScopes"
  | "expired"
  | "revoked"
  | "stranger"
  | "nobody"
  | "garbage";

export interface RecordedEvent {
  readonly event: string;
  readonly location_id: number | null;
  readonly contact_id: number | null;
  readonly changes: unknown;
  // oxlint-disable-next-line typescript/no-explicit-any -- the frozen payload, looked into freely
  readonly data: any;
}

export interface World {
  readonly kind: DatabaseKind;
  readonly url: string;
  readonly clock: ManualClock;
  readonly service: Service;
  readonly acme: number;
  readonly other: number;
  /** Two locations of Acme, and one of Other. */
  readonly north: number;
  readonly south: number;
  readonly foreign: number;
  /** A member of Acme who reaches `north` alone, an owner of Acme, and the owner of Other. */
  readonly users: { readonly nora: number; readonly olga: number; readonly otto: number };
  readonly keys: Readonly<Record<Asker, string | undefined>>;
  /** Sends a request below /api/v1 and holds the answer against the OpenAPI document. */
  send(as: Asker, method: string, path: string, body?: unknown, headers?: HttpRequest["headers"]): Promise<HttpAnswer>;
  /** Runs `work` and gives the events that were raised meanwhile, in the order they were recorded. */
  eventsDuring<Result>(work: () => Promise<Result>): Promise<{ result: Result; events: RecordedEvent[] }>;
  close(): Promise<void>;
}

/** A short timeout: when a world closes, all responses have been received and nothing is in flight. */
const patience = { look: 5 };

interface WorldOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether requests are meant to fail: nothing is said of it then. */
  readonly quiet?: boolean;
  /** A clock that something else goes by as well. */
  readonly clock?: ManualClock;
}

export async function createWorld(
  kind: DatabaseKind,
  { environment = {}, quiet = false, clock = new ManualClock() }: WorldOptions = {},
): Promise<World> {
  const fresh = await freshDatabase(kind);
  const settings = loadSettings({
    environment: {
      CRM_DATABASE_URL: fresh.url,
      CRM_DATA_DIR: fresh.directory,
      CRM_PORT: "0",
      CRM_RATE_LIMIT: "off",
      ...environment,
    },
    directory: fresh.directory,
  });
  const log = createConsola({ level: quiet ? -999 : 1 });
  const server = await startServer(settings, { version: "0.0.0", log, patience });
  const service = await openService(settings, { log, clock, migrate: true, url: server.url });
  server.serve(service);
  const judge = await answerJudge(server.url);
  const statements = await judgeRequests(service.database, kind);

  const acme = await service.operator.change((change) => createWorkspace(change, { name: "Acme" }));
  const other = await service.operator.change((change) => createWorkspace(change, { name: "Other" }));
  const inAcme = service.inWorkspace(acme.id);
  const inOther = service.inWorkspace(other.id);
  const north = await inAcme.change((change) => openLocation(change, { name: "North", timezone: "America/New_York" }));
  const south = await inAcme.change((change) => openLocation(change, { name: "South" }));
  const foreign = await inOther.change((change) => openLocation(change, { name: "Elsewhere" }));
  const nora = await inAcme.change((change) =>
    inviteUser(change, { email: "nora@acme.example", name: "Nora", role: "member", locationIds: [north.id] }),
  );
  const olga = await inAcme.change((change) =>
    inviteUser(change, { email: "olga@acme.example", name: "Olga", role: "owner", locationIds: null }),
  );
  const otto = await inOther.change((change) =>
    inviteUser(change, { email: "otto@other.example", name: "Otto", role: "owner", locationIds: null }),
  );

  const key = async (where: typeof inAcme, name: string, options: Omit<ApiKeyInput, "name"> = {}) =>
    where.change((change) => createApiKey(change, { name, ...options }));
  const revoked = await key(inAcme, "revoked");
  await inAcme.change((change) => revokeApiKey(change, revoked.id));
  const readonly = scopeNames.filter((scope) => scope.endsWith(".readonly"));
  const keys: Record<Asker, string | undefined> = {
    owner: (await key(inAcme, "owner")).key,
    northOnly: (await key(inAcme, "north only", { location_ids: [north.id] })).key,
    readonly: (await key(inAcme, "readonly", { scopes: readonly })).key,
    noScopes: (await key(inAcme, "no scopes", { scopes: [] })).key,
    expired: (await key(inAcme, "expired", { expires_at: new Date(clock.now().getTime() - 1) })).key,
    revoked: revoked.key,
    stranger: (await key(inOther, "stranger")).key,
    nobody: undefined,
    garbage: "crm_key_garbage",
  };

  const { database } = service;
  function requireNoFaults(): void {
    const faults = statements.takeFaults();
    if (faults.length > 0) throw new Error(faults.join("\n"));
  }
  return {
    kind,
    url: server.url,
    clock,
    service,
    acme: acme.id,
    other: other.id,
    north: north.id,
    south: south.id,
    foreign: foreign.id,
    users: { nora: nora.id, olga: olga.id, otto: otto.id },
    keys,
    async send(as, method, path, body, headers) {
      const sent: HttpRequest = {
        method,
        path: `/api/v1${path}`,
        key: keys[as],
        body,
        ...(headers === undefined ? {} : { headers }),
      };
      const answer = await request(server.url, sent);
      judge.judge(sent, answer);
      requireNoFaults();
      return answer;
    },
    async eventsDuring(work) {
      const [mark] = await database.rows<{ last: number | null }>("select max(id) as last from events");
      const result = await work();
      const rows = await database.rows<RecordedEvent & { changes: string | null; data: string }>(
        "select event, location_id, contact_id, changes, data from events where id > ? order by id",
        [mark?.last ?? 0],
      );
      const events = rows.map((row) => ({
        ...row,
        changes: row.changes === null ? null : JSON.parse(row.changes),
        data: payloadOf(row.data),
      }));
      return { result, events };
    },
    async close() {
      await server.close();
      await service.close();
      await fresh.drop();
      requireNoFaults();
    },
  };
}

/** Deletes all rows of `tables`, one after the other: for tests that share a world and look at whole tables. */
export async function emptyTables({ service }: World, tables: readonly string[]): Promise<void> {
  for (const table of tables) await service.database.transaction(({ rows }) => rows(`delete from ${table}`));
}
