import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Returns the peak resident memory in bytes of a process that creates `candles` candles and runs EMA 12/26 over them.
 */
export function peakMemory(candles: number): number {
  const program = fileURLToPath(new URL('./memoryRun.ts', import.meta.url));
  return (
    1024 * Number(execFileSync(process.execPath, [...process.execArgv, program, String(candles)], { encoding: 'utf8' }))
  );
}
