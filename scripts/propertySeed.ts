import fc from 'fast-check';

/** The seed of every property test unless HERON_SEED says otherwise, so that each run tests the same cases. */
const FIXED_SEED = 20_261_122;

/** Returns the seed that HERON_SEED requests: a whole number, or `random` (undefined: fast-check draws one). */
export function propertySeed(setting: string | undefined): number | undefined {
  if (setting === undefined || setting === '') return FIXED_SEED;
  if (setting === 'random') return undefined;
  const seed = Number(setting);
  if (!Number.isInteger(seed)) throw new Error(`HERON_SEED is ${setting}: set it to a whole number or to "random".`);
  return seed;
}

// A failure names its seed, fixed or drawn: HERON_SEED repeats it.
const seed = propertySeed(process.env.HERON_SEED);
fc.configureGlobal(seed === undefined ? {} : { seed });
