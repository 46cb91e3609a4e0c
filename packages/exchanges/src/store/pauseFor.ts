/** Resolves after so many ms, or at once when it is stopped. */
export function pauseFor(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stop.addEventListener('abort', end);
    if (stop.aborted) end();
  });
}
