import { randomWalk } from './candles.ts';
import { AS_USED, runHeron } from './heron.ts';

const candles = randomWalk(Number(process.argv[2]));
runHeron(candles, { ...AS_USED, strategy: 'ema_cross', period: '1m' }, { fast: 12, slow: 26 });
console.log(process.resourceUsage().maxRSS);
