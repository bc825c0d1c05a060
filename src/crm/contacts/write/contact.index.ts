/** An in-memory index of the contacts of a batch, by e-mail, phone and external_ref, updated as the batch changes them. */
import type { RecordMembers } from "../../custom-fields/custom-value.ts";
import type { TagView } from "../../tags/tag.view.ts";
import type { ContactProjectionRow } from "../contact.row.ts";
import type { ContactColumns } from "./contact.columns.ts";

/** A snapshot of a contact: its columns and the names of related records; times in milliseconds. */
export interface ContactState extends Readonly<ContactColumns>, ContactProjectionRow {
  readonly owner_name: string | null;
  readonly tags: readonly TagView[];
  readonly custom_fields: RecordMembers;
  readonly last_activity_at: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A contact of the batch. `id` is undefined until it is inserted. */
export interface BatchContact {
  id: number | undefined;
  state: ContactState;
}

type Key = `email ${string}` | `phone ${string}`;

export class ContactIndex {
  readonly #byId = new Map<number, BatchContact>();
  readonly #byKey = new Map<Key, Set<BatchContact>>();
  /** The holder of an external_ref: a contact of the batch, or the id of another one (deleted, or of another location). */
  readonly #byReference = new Map<string, BatchContact | number>();
  /** The order of ids; new contacts come last, in insertion order. */
  readonly #ranks = new Map<BatchContact, number>();

  /** Adds a contact; ignored if its id is already in the index. */
  add(contact: BatchContact): void {
    if (contact.id !== undefined) {
      if (this.#byId.has(contact.id)) return;
      this.#byId.set(contact.id, contact);
    }
    this.#ranks.set(contact, contact.id ?? Number.MAX_SAFE_INTEGER - 1e9 + this.#ranks.size);
    this.#enter(contact);
  }

  /** Records that the stored contact `id` has `reference`. */
  addReference(reference: string, id: number): void {
    if (this.#byReference.has(reference)) return;
    const known = this.#byId.get(id);
    // A contact in the index may have lost its reference within the batch.
    if (known === undefined) this.#byReference.set(reference, id);
  }

  /** Updates a contact of the index, so that later items see its new state. */
  change(contact: BatchContact, state: ContactState): void {
    const { external_ref: reference } = contact.state;
    for (const key of keysOf(contact.state)) this.#byKey.get(key)?.delete(contact);
    if (reference !== null && this.#byReference.get(reference) === contact) this.#byReference.delete(reference);
    contact.state = state;
    this.#enter(contact);
  }

  findByEmail(emailKey: string | null | undefined): BatchContact | undefined {
    return this.#lowest(`email ${emailKey ?? ""}`);
  }

  findByPhone(phoneKey: string | null | undefined): BatchContact | undefined {
    return this.#lowest(`phone ${phoneKey ?? ""}`);
  }

  /** Whether another contact has the reference. */
  isTaken(reference: string, contact: BatchContact | undefined): boolean {
    const holder = this.#byReference.get(reference);
    return holder !== undefined && holder !== contact;
  }

  #enter(contact: BatchContact): void {
    for (const key of keysOf(contact.state)) {
      const found = this.#byKey.get(key);
      if (found === undefined) this.#byKey.set(key, new Set([contact]));
      else found.add(contact);
    }
    if (contact.state.external_ref !== null) this.#byReference.set(contact.state.external_ref, contact);
  }

  #lowest(key: Key): BatchContact | undefined {
    let lowest: BatchContact | undefined;
    for (const contact of this.#byKey.get(key) ?? []) {
      if (lowest === undefined || this.#ranks.get(contact)! < this.#ranks.get(lowest)!) lowest = contact;
    }
    return lowest;
  }
}

/** Without null keys: contacts without an e-mail address do not match each other. */
function keysOf(state: ContactState): Key[] {
  const keys: Key[] = [];
  if (state.email_key !== null) keys.push(`email ${state.email_key}`);
  if (state.phone_key !== null) keys.push(`phone ${state.phone_key}`);
  return keys;
}
