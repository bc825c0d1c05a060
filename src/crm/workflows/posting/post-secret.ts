/** The secret of a workflow that signs the posts of its webhook nodes, as webhooks are signed; and its rotation. */
import type { KeyObject } from "node:crypto";
import type { Change, LocationContext, Reader } from "../../../events/caller.ts";
import { mintHookSecret } from "../../../webhooks/hooks/hook-secret.ts";
import { toSigningKey } from "../../../webhooks/signature.ts";
import { lockWorkflow } from "../workflow.service.ts";

interface RotatedSecret {
  readonly id: number;
  readonly secret: string;
  readonly old_secret_until: string | null;
}

/** Generates the secret, or replaces it; the old one also signs for `graceMilliseconds`. Refuses `workflow.not_found`. */
export async function rotatePostSecret(
  change: Change<LocationContext>,
  id: number,
  { graceMilliseconds }: { readonly graceMilliseconds: number },
): Promise<RotatedSecret> {
  const workflow = await lockWorkflow(change, id);
  const secret = mintHookSecret();
  const hasOld = graceMilliseconds > 0 && workflow.postSecret !== null;
  const until = hasOld ? new Date(change.now.getTime() + graceMilliseconds) : null;
  Object.assign(workflow, {
    oldPostSecret: hasOld ? workflow.postSecret : null,
    oldPostSecretUntil: until,
    postSecret: change.tools.vault.seal(secret, postSecretContext(id)),
  });
  await change.em.flush();
  return { id, secret, old_secret_until: until?.toISOString() ?? null };
}

const secretsText = "select post_secret, old_post_secret, old_post_secret_until from workflows where id = ?";

interface SecretsRow {
  readonly post_secret: string | null;
  readonly old_post_secret: string | null;
  readonly old_post_secret_until: number | null;
}

/** The keys that sign now, the newest first; none while the workflow has no secret. */
export async function findPostKeys({ rows, tools }: Reader, id: number): Promise<KeyObject[]> {
  const [found] = await rows<SecretsRow>(secretsText, [id]);
  if (found === undefined) return [];
  const { post_secret: secret, old_post_secret: old, old_post_secret_until: until } = found;
  const isOldValid = until !== null && until > tools.clock.now().getTime();
  return [secret, isOldValid ? old : null].flatMap((sealed) =>
    sealed === null ? [] : [toSigningKey(tools.vault.open(sealed, postSecretContext(id)))],
  );
}

/** Whether the workflow has a secret, so that its posts are signed. */
export async function hasPostSecret({ rows }: Reader, id: number): Promise<boolean> {
  const [found] = await rows<SecretsRow>(secretsText, [id]);
  return found !== undefined && found.post_secret !== null;
}

export function postSecretContext(id: number): string {
  return `workflows.post_secret ${id}`;
}
