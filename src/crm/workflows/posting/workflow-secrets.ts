/**
 * The secrets of a workflow that headers of its posts take: encrypted, never shown again, and each bound to one origin,
 * so that a changed definition cannot send it elsewhere.
 */
import type { Change, LocationContext, Reader } from "../../../events/caller.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { secretsIn } from "../definition/post-headers.ts";
import type { PostHeaders } from "../definition/post-headers.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import type { Fault } from "../checks/faults.ts";
import { fieldsIn } from "../checks/node-fields.ts";
import { lockWorkflow } from "../workflow.service.ts";

interface Secret {
  readonly value: string;
  /** Scheme, host and port: the only one that it is sent to. */
  readonly origin: string;
}

type Secrets = Readonly<Record<string, Secret>>;

/** A secret without its value. */
export interface NamedSecret {
  readonly key: string;
  readonly origin: string;
}

interface GivenSecret {
  readonly key: string;
  /** null removes it. */
  readonly value: string | null;
  /** Needed with a value. */
  readonly origin?: string | undefined;
}

/** Adds, replaces or removes a secret; runs use it from the commit on. Refuses `workflow.not_found`, and with 422 one above the limit. */
export async function setSecret(
  change: Change<LocationContext>,
  id: number,
  { key, value, origin }: GivenSecret,
): Promise<NamedSecret[]> {
  const workflow = await lockWorkflow(change, id);
  const secrets = new Map(Object.entries(await findSecrets(change, id)));
  if (value === null) secrets.delete(key);
  else if (origin === undefined) throw new Invalid({ origin: ["The origin field is required."] });
  else secrets.set(key, { value, origin });
  if (secrets.size > limits.workflow.secrets)
    throw new Invalid({ key: [`The workflow has ${limits.workflow.secrets} secrets, the most that it can have.`] });
  workflow.secrets =
    secrets.size === 0
      ? null
      : change.tools.vault.seal(JSON.stringify(Object.fromEntries(secrets)), workflowSecretsContext(id));
  await change.em.flush();
  return namesOf(Object.fromEntries(secrets));
}

/** The keys and origins of the secrets, in the order of the keys. */
export async function listSecrets(reader: Reader, id: number): Promise<NamedSecret[]> {
  return namesOf(await findSecrets(reader, id));
}

/** The values for headers that are posted to `url`; undefined if one of them is gone, or belongs to another origin. */
export async function takeSecrets(
  reader: Reader,
  id: number,
  headers: PostHeaders,
  url: string,
): Promise<Record<string, string> | undefined> {
  const names = secretsIn(headers);
  if (names.length === 0) return {};
  const secrets = await findSecrets(reader, id);
  const { origin } = new URL(url);
  if (!names.every((name) => Object.hasOwn(secrets, name) && secrets[name]!.origin === origin)) return undefined;
  return Object.fromEntries(names.map((name) => [name, secrets[name]!.value]));
}

/** A fault for each secret that a node names and the workflow does not have, or not for the origin of the node's URL. */
export async function judgeSecrets(
  reader: Reader<LocationContext>,
  types: NodeTypes,
  workflowId: number,
  definition: WorkflowDefinition,
): Promise<Fault[]> {
  const named = fieldsIn(types, definition, "secrets").filter(({ value }) => value.length > 0);
  if (named.length === 0) return [];
  const secrets = await findSecrets(reader, workflowId);
  return named.flatMap(({ place, value, url }) =>
    value.flatMap((name) => {
      const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
      if (secret === undefined)
        return [{ place, predicate: `names the secret "${name}", which this workflow does not have.` }];
      if (URL.canParse(url) && new URL(url).origin === secret.origin) return [];
      return [{ place, predicate: `names the secret "${name}", which is only sent to ${secret.origin}.` }];
    }),
  );
}

async function findSecrets({ rows, tools }: Reader, id: number): Promise<Secrets> {
  const [found] = await rows<{ secrets: string | null }>("select secrets from workflows where id = ?", [id]);
  if (found === undefined || found.secrets === null) return {};
  return JSON.parse(tools.vault.open(found.secrets, workflowSecretsContext(id))) as Secrets;
}

function namesOf(secrets: Secrets): NamedSecret[] {
  const named = Object.entries(secrets).map(([key, { origin }]) => ({ key, origin }));
  return named.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

export function workflowSecretsContext(id: number): string {
  return `workflows.secrets ${id}`;
}
