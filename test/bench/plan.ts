/** How much is measured: the whole thing, or a quick look. */
export interface Plan {
  readonly connections: number;
  /** Slices of load on each side; the median of their ratios counts. */
  readonly rounds: number;
  /** Length of a slice. Short ones, so that what else the machine does meets both sides alike. */
  readonly seconds: number;
  /** Slices of each side before the first that counts: V8 compiles, caches fill. */
  readonly warmUps: number;
  readonly contacts: number;
  readonly locations: number;
  /** Contacts of the one location, before and after it grew. */
  readonly growth: readonly [small: number, large: number];
  /** Steps of workflow runs, before and after there were many. */
  readonly steps: readonly [few: number, many: number];
  /** Starts of each process. */
  readonly starts: number;
}

export const wholePlan: Plan = {
  connections: 32,
  rounds: 11,
  seconds: 0.8,
  warmUps: 3,
  contacts: 100_000,
  locations: 10,
  growth: [10_000, 1_000_000],
  steps: [10_000, 10_000_000],
  starts: 11,
};

export const quickPlan: Plan = {
  ...wholePlan,
  rounds: 3,
  seconds: 0.3,
  warmUps: 1,
  contacts: 20_000,
  growth: [2000, 20_000],
  steps: [10_000, 1_000_000],
  starts: 4,
};
