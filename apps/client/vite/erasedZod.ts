/**
 * Replaces zod in the built client. The contract declares calls and entities as schemas; the browser needs their paths
 * and types but validates nothing. The first load is 60 KB smaller without the validator. Declarations work; validation
 * throws.
 */
const inert: unknown = new Proxy(() => inert, {
  get(_, name) {
    if (name === 'parse' || name === 'safeParse' || name === 'parseAsync' || name === 'safeParseAsync') {
      throw new Error('Schemas are erased from the built client: nothing in it may validate with them');
    }
    return inert;
  },
  apply: () => inert,
});

export const z = inert;
