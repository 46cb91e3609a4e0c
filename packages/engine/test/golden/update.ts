import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Golden, goldenOf, goldenRuns } from './runs.ts';

// Writes the current results of the golden runs. The commit message must explain why trades have changed.
const now: Record<string, Golden> = {};
for (const run of goldenRuns()) {
  now[run.name] = goldenOf(run);
  console.log(`${run.name}: ${now[run.name]?.fills} fills, ${now[run.name]?.equity}`);
}
writeFileSync(path.join(import.meta.dirname, 'golden.json'), `${JSON.stringify(now, null, 2)}\n`);
