/** Two processes of the service on one database, with a shop, its owner and an app, as an operator sets them up. */
import { createConsola } from "consola";
import { loadSettings } from "../../config/settings.loading.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { setUp } from "../../src/setup/setup.operations.ts";
import { hashPassword } from "../../src/tenancy/passwords/password.ts";
import { freshDatabase } from "./databases.ts";
import type { DatabaseKind } from "./databases.ts";
import { givenApp } from "./marketplace.ts";
import type { TestApp } from "./marketplace.ts";
import { startCrm } from "./node-process.ts";
import type { RunningProcess } from "./node-process.ts";
import { createPerson, password } from "./person.ts";
import type { Person } from "./person.ts";

export interface TwoServices {
  readonly urls: readonly [string, string];
  readonly service: Service;
  readonly app: TestApp;
  /** The key that setting up has made. */
  readonly apiKey: string;
  readonly location: number;
  /** The owner, signed in at the first process. */
  readonly owner: Person;
  /** Where the database and the key file lie. */
  readonly directory: string;
  printed(): string;
  close(): Promise<void>;
}

export async function startTwoServices(
  kind: DatabaseKind,
  { environment = {}, timeoutSeconds = 300 }: { environment?: Record<string, string>; timeoutSeconds?: number } = {},
): Promise<TwoServices> {
  const { url, directory, drop } = await freshDatabase(kind);
  const own = { CRM_DATABASE_URL: url, CRM_DATA_DIR: directory, CRM_PORT: "0", CRM_RATE_LIMIT: "off", ...environment };
  const settings = loadSettings({ environment: own, directory });
  const service = await openService(settings, { log: createConsola({ level: 1 }), migrate: true });
  const answers = { workspace: "Acme", location: "Main Street", owner_email: "ada@acme.example" };
  const sign_in = { passwordHash: await hashPassword(password) };
  const made = await service.carryOut(setUp, service.operator, { input: { ...answers, sign_in } });
  const app = await givenApp({ service, acme: made!.workspace.id });

  const processes: RunningProcess[] = [];
  const start = async (): Promise<string> => {
    const crm = startCrm(["serve"], { environment: own, directory, timeoutSeconds });
    processes.push(crm);
    return (await crm.match(/crm listening on (\S+)/))[1]!;
  };
  const urls = [await start(), await start()] as const;
  const owner = createPerson(urls[0]);
  await owner.signIn("ada@acme.example");
  return {
    urls,
    service,
    app,
    apiKey: made!.api_key.key,
    location: made!.location.id,
    owner,
    directory,
    printed: () => processes.map((crm) => Object.values(crm.printed()).join("")).join(""),
    async close() {
      await Promise.all(processes.map((crm) => crm[Symbol.asyncDispose]()));
      await service.close();
      await drop();
    },
  };
}
