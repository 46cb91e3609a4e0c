import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Golden, goldenOf, goldenRuns } from './runs.ts';

// Writes down what the golden runs come to now. The commit that does so says why trades have changed.
const now: Record<string, Golden> = {};
for (const run of goldenRuns()) {
  now[run.name] = goldenOf(run);
  console.log(`${run.name}: ${now[run.name]?.fills} fills, ${now[run.name]?.equity}`);
}
writeFileSync(path.join(import.meta.dirname, 'golden.json'), `${JSON.stringify(now, null, 2)}\n`);
