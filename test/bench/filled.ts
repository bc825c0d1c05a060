/** A database with a workspace, people, an API key and as many contacts as are asked for. */
import { createConsola } from "consola";
import { loadSettings } from "../../config/settings.loading.ts";
import { createApp } from "../../src/marketplace/apps/app.service.ts";
import { openService } from "../../src/service.ts";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { setUp as setUpService } from "../../src/setup/setup.operations.ts";
import { defaultAnswers } from "../../src/setup/setup.schema.ts";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import { connectTo } from "./connection.ts";
import type { Ground } from "./ground.ts";
import { secretKeys } from "./servers.ts";
import { seedContacts } from "./seed.ts";
import type { Seed } from "./seed.ts";

export interface Filled extends Seed {
  readonly name: string;
  readonly url: string;
  readonly apiKey: string;
  /** Another key of the workspace, with the same rights. */
  readonly otherKey: string;
  /** A marketplace app of the workspace, the only one. */
  readonly app: { readonly clientId: string; readonly clientSecret: string };
}

/** Makes the database `name`, with `contacts` spread evenly over `locations`. */
export async function fill(
  ground: Ground,
  name: string,
  size: { contacts: number; locations: number },
): Promise<Filled> {
  const url = await ground.create(name);
  const { apiKey, otherKey, app, ...tenancy } = await setUp(url, ground.folder, size.locations);
  const seed: Seed = { ...tenancy, ...size, until: Date.now() - 60_000 };
  const connection = await connectTo(url, { hurried: true });
  try {
    await seedContacts(connection, seed);
  } finally {
    await connection.close();
  }
  return { ...seed, name, url, apiKey, otherKey, app };
}

async function setUp(url: string, directory: string, locations: number) {
  const settings = loadSettings({
    environment: { CRM_DATABASE_URL: url, CRM_SECRET_KEYS: secretKeys },
    directory,
  });
  const service = await openService(settings, { log: createConsola({ level: 1 }), migrate: true });
  try {
    const made = await service.carryOut(setUpService, service.operator, { input: defaultAnswers });
    if (made === null) throw new Error(`${url} is not empty`);
    const caller = service.inWorkspace(made.workspace.id);
    for (let number = 2; number <= locations; number++) {
      const { id } = await caller.change((change) =>
        openLocation(change, { name: `Location ${number}`, country: "US" }),
      );
      // The seed counts on it.
      if (id !== made.location.id + number - 1) throw new Error("the ids of the locations have a gap");
    }
    const people: number[] = [];
    for (let number = 1; number <= 6; number++) {
      const email = `member.${number}@example.com`;
      const person = { email, name: `Member ${number}`, role: "member" as const, locationIds: null };
      people.push((await caller.change((change) => inviteUser(change, person))).id);
    }
    const [rareOwner, ...owners] = people;
    const app = await caller.change((change) =>
      createApp(change, { name: "Ledgerline", redirect_uris: ["https://app.example.com/"], scopes: ["tags.readonly"] }),
    );
    const { key: otherKey } = await caller.change((change) => createApiKey(change, { name: "other" }));
    return {
      workspaceId: made.workspace.id,
      firstLocation: made.location.id,
      apiKey: made.api_key.key,
      otherKey,
      app: { clientId: app.client_id, clientSecret: app.client_secret },
      owners,
      rareOwner: rareOwner!,
    };
  } finally {
    await service.close();
  }
}
