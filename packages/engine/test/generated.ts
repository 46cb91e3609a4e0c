import type fc from 'fast-check';

/** The values that an arbitrary generates. */
export type Generated<A> = A extends fc.Arbitrary<infer Value> ? Value : never;
