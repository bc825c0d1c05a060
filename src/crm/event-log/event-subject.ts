/** What an event is about, for people: the contact, or else the record by its name. */

interface SubjectData {
  readonly contact?: { readonly id: number; readonly name: string } | null;
  readonly name?: unknown;
  readonly id?: unknown;
}

export function eventSubject(data: Readonly<Record<string, unknown>>): { label: string | null; id: number | null } {
  const { contact, name, id } = data as SubjectData;
  const { name: label, id: subjectId } = contact ?? { name, id };
  return {
    label: typeof label === "string" ? label : null,
    id: typeof subjectId === "number" ? subjectId : null,
  };
}
