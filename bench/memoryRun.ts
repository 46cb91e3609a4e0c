import { readFileSync } from 'node:fs';
import { randomWalk } from './candles.ts';
import { AS_USED, runHeron } from './heron.ts';

const candles = randomWalk(Number(process.argv[2]));
runHeron(candles, { ...AS_USED, strategy: 'ema_cross', period: '1m' }, { fast: 12, slow: 26 });
// In kB. `maxRSS` would do, but that Linux counts into it what the process that started this one had.
const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '';
console.log(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
