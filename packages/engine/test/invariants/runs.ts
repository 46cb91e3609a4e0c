/** Runs of a property: 1,000, or what a soak asks for with HERON_SOAK_RUNS. */
export const RUNS = Number(process.env.HERON_SOAK_RUNS ?? 1_000);
