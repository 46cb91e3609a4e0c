import { flushSync } from 'react-dom';

export type Motion = 'forward' | 'back' | 'none';

/** Screens on a desk, and people who want no motion, get pages at once. */
const STILL = '(min-width: 60em), (prefers-reduced-motion: reduce)';

/** Runs an update of the page, as a view transition where the browser has them and motion is wanted. */
export function withMotion(motion: Motion, update: () => void): void {
  if (motion === 'none' || !('startViewTransition' in document) || matchMedia(STILL).matches) {
    update();
    return;
  }
  const root = document.documentElement;
  root.dataset.motion = motion;
  const transition = document.startViewTransition(() => flushSync(update));
  const clear = () => {
    if (root.dataset.motion === motion) delete root.dataset.motion;
  };
  // Rejects when a newer transition replaces this one; the update runs all the same.
  transition.ready.catch(() => undefined);
  void transition.finished.then(clear, clear);
}
