/** Node runs longer timers immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves after `ms`, or at once when the signal is aborted. */
export function pauseFor(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout;
    const end = () => {
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
      resolve();
    };
    const wait = (left: number) => {
      const step = Math.min(left, LONGEST_TIMER_MS);
      timer = setTimeout(() => (left > step ? wait(left - step) : end()), step);
    };
    wait(ms);
    stop.addEventListener('abort', end);
    if (stop.aborted) end();
  });
}
