/** Invented people as a CSV file, any number of them. */
import { writeFile } from "node:fs/promises";

const header = "first_name,last_name,email,phone,company,address1,city,state,zip,source\n";

/** The lines of a file of `count` people, the header first; every one has another address and another number. */
export function* peopleLines(count: number): Generator<string> {
  yield header;
  for (let n = 0; n < count; n++) {
    const digits = String(2_000_000 + n);
    yield `First${n},Last${n},person${n}@example.com,+1 415 ${digits.slice(0, 3)} ${digits.slice(3)},Company ${n % 500},${n} Main Street,Springfield,NY,${10_000 + (n % 9000)},import\n`;
  }
}

export async function writePeople(path: string, count: number): Promise<void> {
  await writeFile(path, peopleLines(count));
}
