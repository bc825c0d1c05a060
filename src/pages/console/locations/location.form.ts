/** The form of a location: its fields as typed. */
import type { LocationSettingsView } from "../../../tenancy/locations/location.view.ts";

/** The fields of the form, in its order. */
export const locationFields = [
  { id: "name", label: "Name", isOptional: false },
  {
    id: "timezone",
    label: "Time zone",
    isOptional: false,
    hint: "An IANA name, such as America/New_York. Times and due dates of the location are in it.",
  },
  {
    id: "country",
    label: "Country of phone numbers",
    isOptional: false,
    hint: "Two letters, such as US. Numbers without a country code are read as numbers of this country.",
  },
  { id: "address1", label: "Street and number", isOptional: true },
  { id: "city", label: "City", isOptional: true },
  { id: "state", label: "State", isOptional: true },
  { id: "zip", label: "Postal code", isOptional: true },
  { id: "phone_public", label: "Public phone number", isOptional: true },
  { id: "website", label: "Website", isOptional: true },
] as const satisfies readonly {
  readonly id: keyof LocationSettingsView;
  readonly label: string;
  readonly isOptional: boolean;
  readonly hint?: string;
}[];

export type LocationForm = Readonly<Record<(typeof locationFields)[number]["id"], string>>;

/** `like`: the location whose time zone and country a new one suggests. */
export function emptyLocation(like: { readonly timezone: string; readonly country: string } | undefined): LocationForm {
  return { ...formOf(() => ""), timezone: like?.timezone ?? "UTC", country: like?.country ?? "US" };
}

export function readLocationForm(fields: URLSearchParams): LocationForm {
  return formOf((id) => fields.get(id) ?? "");
}

export function toLocationForm(location: LocationSettingsView): LocationForm {
  return formOf((id) => location[id]);
}

function formOf(valueOf: (id: keyof LocationForm) => string): LocationForm {
  return Object.fromEntries(locationFields.map(({ id }) => [id, valueOf(id)])) as Record<keyof LocationForm, string>;
}
