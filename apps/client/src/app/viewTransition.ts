import { flushSync } from 'react-dom';

export type Motion = 'forward' | 'back' | 'none';

/** Wide screens and users who prefer reduced motion get no transition. */
const STILL = '(min-width: 60em), (prefers-reduced-motion: reduce)';

/** Updates the page, with a view transition where the browser supports it and motion is allowed. */
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
  // This promise rejects when a newer transition replaces this one; the update still runs.
  transition.ready.catch(() => undefined);
  void transition.finished.then(clear, clear);
}
