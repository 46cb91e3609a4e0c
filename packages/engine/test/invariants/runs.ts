/** Number of runs of a property: 1,000, or HERON_SOAK_RUNS for a soak test. */
export const RUNS = Number(process.env.HERON_SOAK_RUNS ?? 1_000);
