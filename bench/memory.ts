import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Greatest resident memory of a process of its own that makes `candles` candles and runs EMA 12/26 over them, in bytes. */
export function peakMemory(candles: number): number {
  const program = fileURLToPath(new URL('./memoryRun.ts', import.meta.url));
  return (
    1024 * Number(execFileSync(process.execPath, [...process.execArgv, program, String(candles)], { encoding: 'utf8' }))
  );
}
