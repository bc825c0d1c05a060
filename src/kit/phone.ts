/** Phone numbers: the key by which two spellings of one number match, and the form that people are shown. */
import { createRequire } from "node:module";
import type { CountryCode, PhoneNumber } from "libphonenumber-js/min";
import { fold } from "./text.ts";

export type Phone = {
  /**
   * E.164, such as `+14155552671`, and the extension where there is one, as RFC 3966 has it: `+14155552671;ext=12`. `raw:`
   * and the folded input when it is no phone number; null when it is blank.
   */
  key: string | null;
  /** National form when the number is of the location's country, else international; the trimmed input when unparseable. */
  display: string;
};

type Library = typeof import("libphonenumber-js/min");

const require = createRequire(import.meta.url);
let library: Library | undefined;

/** Loaded with the first number: it takes 50 ms, which a start or a command that reads no phone should not pay. */
function phones(): Library {
  library ??= require("libphonenumber-js/min") as Library;
  return library;
}

/** Whether the code is a country in capitals (ISO 3166-1, such as US) whose phone numbers are known. */
export function isCountry(code: string): boolean {
  return phones().isSupportedCountry(code);
}

/** The countries whose phone numbers are known. */
export function countries(): readonly string[] {
  return phones().getCountries();
}

/**
 * Reads a number as it is dialled in `country`; nothing is refused. A number counts as parsed when its length is one that its
 * country has: stricter rules lag behind the numbers that operators hand out. A number without its area code is not parsed:
 * it would match people elsewhere. Behind one switchboard each extension is a number of its own.
 */
export function readPhone(input: string, country: string): Phone {
  const given = input.trim();
  if (given === "") return { key: null, display: "" };
  const number = phones().parsePhoneNumberFromString(given, {
    defaultCountry: country as CountryCode,
    extract: false, // the whole input is the number, or it is none
  });
  // An unparseable phone is kept, and `phone=` still finds it by the same spelling, case and spacing aside.
  if (number === undefined || !number.isPossible()) return { key: `raw:${fold(given)}`, display: given };
  return {
    key: number.ext === undefined ? number.number : `${number.number};ext=${number.ext}`,
    display: isOf(number, country) ? number.formatNational() : number.formatInternational(),
  };
}

/** Ranges that no country of a shared calling code has claimed (many of +1) belong to whoever shares the code. */
function isOf(number: PhoneNumber, country: string): boolean {
  if (number.country !== undefined) return number.country === country;
  return isCountry(country) && number.countryCallingCode === phones().getCountryCallingCode(country as CountryCode);
}
