import type { Clock } from '../src/clock.ts';
import { startSandbox } from '../src/sandbox.ts';

// Runs a sandbox in its own process, so that tests can kill it; its time runs `speed` times as fast since `origin`.
const [dataDir = '', origin = '0', speed = '1'] = process.argv.slice(2);
const clock: Clock = {
  now: () => Math.floor(Number(origin) + (Date.now() - Number(origin)) * Number(speed)),
  every(intervalMs, callback) {
    const timer = setInterval(callback, Math.max(1, intervalMs / Number(speed)));
    return () => clearInterval(timer);
  },
};
const sandbox = await startSandbox({ port: 0, dataDir, clock });
const { binance, binanceusdm, mexc } = sandbox;
process.stdout.write(`${JSON.stringify({ binance, binanceusdm, mexc })}\n`);
process.on('SIGTERM', () => void sandbox.close());
