/** Chooses by weight, deterministically: the same seed always chooses the same. */
import { createHash } from "node:crypto";

/** One of the names, each in proportion to its weight; the weights do not sum to zero. Seeds are spread evenly by a hash. */
export function chooseByWeight(seed: string, weights: Readonly<Record<string, number>>): string {
  const ways = Object.entries(weights).filter(([, weight]) => weight > 0);
  const sum = ways.reduce((total, [, weight]) => total + weight, 0);
  let left = (createHash("sha256").update(seed).digest().readUInt32BE() / 2 ** 32) * sum;
  for (const [name, weight] of ways) {
    if (left < weight) return name;
    left -= weight;
  }
  return ways.at(-1)![0];
}
