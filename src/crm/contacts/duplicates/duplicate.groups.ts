/** Which contacts may be one person. Pure functions over the folded keys of contacts. */

/** The strongest reason first. */
export const duplicateReasons = ["email", "phone", "name"] as const;
export type DuplicateReason = (typeof duplicateReasons)[number];

/** A contact with its keys; `name_key` is null without a first and a last name. */
export interface KeyedContact {
  readonly id: number;
  readonly email_key: string | null;
  readonly phone_key: string | null;
  readonly name_key: string | null;
  readonly company_key: string | null;
  readonly zip_key: string | null;
}

/** The most contacts of a group: the newest ones. The others follow once these are merged. */
export const mostInGroup = 20;
/** A name that more contacts have says nothing about them. */
export const mostOfName = 100;

export interface DuplicateGroup {
  readonly reason: DuplicateReason;
  /** Newest first; at least two. */
  readonly ids: readonly number[];
}

/**
 * The groups of which the contact is the newest one, the strongest reason first. `found` are the contacts that share its email, phone and
 * name, newest first. A weaker reason that joins the same contacts as a stronger one is left out.
 */
export function groupsOf(
  contact: KeyedContact,
  found: Readonly<Record<DuplicateReason, readonly KeyedContact[]>>,
): DuplicateGroup[] {
  return duplicateReasons.flatMap((reason, rank): DuplicateGroup[] => {
    const all = reason === "name" ? alikeOf(contact, found.name) : found[reason];
    const group = all.slice(0, mostInGroup);
    if (group.length < 2 || group[0]!.id !== contact.id) return [];
    const isToldBefore = duplicateReasons.slice(0, rank).some((stronger) => haveSame(group, stronger));
    return isToldBefore ? [] : [{ reason, ids: group.map(({ id }) => id) }];
  });
}

function haveSame(group: readonly KeyedContact[], reason: DuplicateReason): boolean {
  const [first] = group;
  const key = first![`${reason}_key`];
  return key !== null && group.every((one) => one[`${reason}_key`] === key);
}

/** Those of one name that a company, a zip or the last four digits join with the contact, directly or by others. */
function alikeOf(contact: KeyedContact, ofName: readonly KeyedContact[]): KeyedContact[] {
  if (ofName.length > mostOfName) return [];
  const joined = new Set([contact.id]);
  const open = [contact];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const other of ofName) {
      if (joined.has(other.id) || !isAlike(one, other)) continue;
      joined.add(other.id);
      open.push(other);
    }
  }
  return ofName.filter(({ id }) => joined.has(id));
}

function isAlike(one: KeyedContact, other: KeyedContact): boolean {
  const has = (key: string | null, same: string | null) => key !== null && key !== "" && key === same;
  return (
    has(one.company_key, other.company_key) ||
    has(one.zip_key, other.zip_key) ||
    has(lastDigits(one.phone_key), lastDigits(other.phone_key))
  );
}

/** Of a number with fewer than four digits, none: the key of a number that cannot be dialed has letters before them. */
function lastDigits(phone: string | null): string | null {
  const digits = phone?.replaceAll(/\D/g, "") ?? "";
  return digits.length < 4 ? null : digits.slice(-4);
}
