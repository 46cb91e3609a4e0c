import { registerHooks } from 'node:module';

// A hook for `node --import`: every import of drizzle-orm loads the CommonJS build of the package.
//
// Node reads the package.json of a package for each of its ES modules. drizzle-orm has hundreds of small modules and a
// package.json of 180 kB, so that an import takes 0.5 s of CPU time. The CommonJS build has the same content and takes
// 0.05 s.
//
// The hook depends on the `require` condition in drizzle-orm's `exports`; `quickDrizzle.test.ts` fails when an update
// removes it. Drizzle 1.0 may make the hook unnecessary.

registerHooks({
  resolve(specifier, context, next) {
    const isDrizzle = specifier === 'drizzle-orm' || specifier.startsWith('drizzle-orm/');
    return next(specifier, isDrizzle ? { ...context, conditions: ['node', 'require'] } : context);
  },
});
