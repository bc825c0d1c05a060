/** A store of oidc-provider that forgets nothing: its own keeps a thousand entries, and a client that refreshes slowly loses its token. */

type Payload = Record<string, unknown> & { readonly grantId?: string };

const entries = new Map<string, Payload>();
const byGrant = new Map<string, Set<string>>();

/** Of one model, such as `RefreshToken`. The server looks nothing up by a user code or a session's uid. */
export class Memory {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  async upsert(id: string, payload: Payload): Promise<void> {
    const key = this.#keyOf(id);
    entries.set(key, payload);
    const { grantId } = payload;
    if (grantId === undefined) return;
    const keys = byGrant.get(grantId) ?? new Set<string>();
    byGrant.set(grantId, keys.add(key));
  }

  async find(id: string): Promise<Payload | undefined> {
    return entries.get(this.#keyOf(id));
  }

  async consume(id: string): Promise<void> {
    const key = this.#keyOf(id);
    entries.set(key, { ...entries.get(key), consumed: Math.floor(Date.now() / 1000) });
  }

  async destroy(id: string): Promise<void> {
    entries.delete(this.#keyOf(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const key of byGrant.get(grantId) ?? []) entries.delete(key);
    byGrant.delete(grantId);
  }

  #keyOf(id: string): string {
    return `${this.#model}:${id}`;
  }
}
