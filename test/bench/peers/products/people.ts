/** The same people for every product: 20,000, of whom each last name has twenty. */

export const count = 20_000;
export const namesakes = 20;

/** No syllable at the start of a name ends as another does: all but the first letter of a name is part of no other. */
const starts = ["Ba", "Ce", "Di", "Fo", "Gu", "Hay", "Jex", "Kip", "Lon", "Mur"];
const middles = ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu"];
const ends = ["ler", "man", "ner", "per", "rix", "son", "tel", "vik", "wod", "zam"];
const lastNames = starts.flatMap((start) => middles.flatMap((middle) => ends.map((end) => start + middle + end)));

const firstNames = ["Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Frances", "Ken", "Radia", "Tony", "Zoe"];
const cities = ["New York", "Albany", "Buffalo", "Syracuse", "Rochester"];

function pick(list: readonly string[], n: number): string {
  return list[n % list.length]!;
}

/** From 1 to `count`. */
export function personOf(n: number) {
  return {
    first_name: pick(firstNames, n),
    last_name: pick(lastNames, n),
    email: `person.${n}@example.com`,
    phone: `+1212${2_000_000 + n}`,
    company: `Company ${n % 5000}`,
    city: pick(cities, n),
    state: "NY",
    source: "website",
  };
}

export const fields = Object.keys(personOf(1));

/** In pieces of a size that every product takes at once. */
export function* piecesOfPeople(): Generator<ReturnType<typeof personOf>[]> {
  const piece = 200;
  for (let start = 0; start < count; start += piece)
    yield Array.from({ length: piece }, (_, place) => personOf(start + place + 1));
}

/** One that is not there yet; `{serial}` is filled in by the load. */
export const newPerson = {
  ...personOf(1),
  last_name: "Number {serial}",
  email: "grace.{serial}@example.com",
  phone: "+1646{serial}",
};

/** Of some people that lie apart, and their last names without the first letter. */
export const someNumbers = Array.from({ length: 1000 }, (_, n) => 1 + ((n * 7919) % count));
export const someEmails = someNumbers.map((n) => personOf(n).email);
export const someParts = lastNames.map((name) => name.slice(1));
