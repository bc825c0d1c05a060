/** Phone numbers: the key that matches two spellings of one number, and the form for display. */
import { createRequire } from "node:module";
import type { CountryCode, PhoneNumber } from "libphonenumber-js/min";
import { fold } from "./text.ts";

export type Phone = {
  /**
   * E.164, such as `+14155552671`, with the extension as in RFC 3966: `+14155552671;ext=12`. For input that is no phone
   * number, `raw:` and the folded input; null for blank input.
   */
  key: string | null;
  /** National format for a number of the location's country, else international; unparseable input is trimmed. */
  display: string;
};

type Library = typeof import("libphonenumber-js/min");

const require = createRequire(import.meta.url);
let library: Library | undefined;

/** Loaded on first use: it takes 50 ms, which a start or a command without phones should not pay. */
function phones(): Library {
  library ??= require("libphonenumber-js/min") as Library;
  return library;
}

/** Whether the code is an upper-case country code (ISO 3166-1, such as US) with known phone numbers. */
export function isCountry(code: string): boolean {
  return phones().isSupportedCountry(code);
}

/** The countries with known phone numbers. */
export function countries(): readonly string[] {
  return phones().getCountries();
}

/**
 * Parses a number as dialed in `country`; nothing is refused. A number parses if its length is possible in its country:
 * stricter rules lag behind the numbers in use. A number without area code does not parse: it would match people
 * elsewhere. Each extension behind one switchboard is a number of its own.
 */
export function readPhone(input: string, country: string): Phone {
  const given = input.trim();
  if (given === "") return { key: null, display: "" };
  const number = phones().parsePhoneNumberFromString(given, {
    defaultCountry: country as CountryCode,
    extract: false, // the whole input must be the number
  });
  // An unparseable phone is stored, and `phone=` finds it by the same spelling, ignoring case and spacing.
  if (number === undefined || !number.isPossible()) return { key: `raw:${fold(given)}`, display: given };
  return {
    key: number.ext === undefined ? number.number : `${number.number};ext=${number.ext}`,
    display: isOf(number, country) ? number.formatNational() : number.formatInternational(),
  };
}

/** Ranges of a shared calling code without a country (many of +1) belong to all countries that share it. */
function isOf(number: PhoneNumber, country: string): boolean {
  if (number.country !== undefined) return number.country === country;
  return isCountry(country) && number.countryCallingCode === phones().getCountryCallingCode(country as CountryCode);
}
