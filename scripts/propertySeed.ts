import fc from 'fast-check';

/** The seed of every property test unless HERON_SEED says otherwise, so that each run tests the same cases. */
const FIXED_SEED = 20_261_122;

/** Returns the seed that HERON_SEED requests: a whole number, or `random` (undefined: fast-check draws one). */
export function propertySeed(wish: string | undefined): number | undefined {
  if (wish === undefined || wish === '') return FIXED_SEED;
  if (wish === 'random') return undefined;
  const seed = Number(wish);
  if (!Number.isInteger(seed)) throw new Error(`HERON_SEED is ${wish}: set it to a whole number or to "random".`);
  return seed;
}

// A failure names its seed, fixed or drawn: HERON_SEED repeats it.
const seed = propertySeed(process.env.HERON_SEED);
fc.configureGlobal(seed === undefined ? {} : { seed });
