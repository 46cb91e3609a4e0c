#!/usr/bin/env node
// `npx heron …` is `npm run heron -- …`: the same script makes the checkout ready and finds the pinned Node.
process.argv.splice(2, 0, 'heron');
await import(new URL('../../../scripts/ready.mjs', import.meta.url).href);
