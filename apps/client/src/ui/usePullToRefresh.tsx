import { type ReactNode, type TouchEvent, useRef, useState } from 'react';
import { Icon } from './Icon.tsx';

/** A pull over this distance, in CSS pixels, triggers a refresh; the indicator moves at half the speed. */
const TRIGGER = 130;
const MAX_TRAVEL = 220;

type Pull =
  | { readonly state: 'idle' }
  | { readonly state: 'pulling'; readonly travel: number }
  | { readonly state: 'refreshing' };

const IDLE: Pull = { state: 'idle' };

/**
 * Refreshes a scrolling box when it is pulled down at its top on a touch screen.
 *
 * @param onRefresh fetches; resolves when done. Without it nothing can be pulled.
 * @returns handlers for the box, and the indicator to render as its first child
 */
export function usePullToRefresh(onRefresh: (() => Promise<unknown>) | undefined): {
  readonly handlers: object;
  readonly indicator: ReactNode;
} {
  const start = useRef<number | null>(null);
  const [pull, setPull] = useState<Pull>(IDLE);
  if (!onRefresh) return { handlers: {}, indicator: null };

  const handlers = {
    onTouchStart(event: TouchEvent<HTMLElement>) {
      const isAtTop = event.currentTarget.scrollTop <= 0;
      start.current = isAtTop && pull.state === 'idle' ? (event.touches[0]?.clientY ?? null) : null;
    },
    onTouchMove(event: TouchEvent<HTMLElement>) {
      if (start.current === null) return;
      const travel = (event.touches[0]?.clientY ?? 0) - start.current;
      // A scrolled box or a second finger ends the pull.
      if (event.currentTarget.scrollTop > 0 || event.touches.length > 1) end();
      else if (travel > 0) setPull({ state: 'pulling', travel: Math.min(travel, MAX_TRAVEL) });
      else setPull(IDLE);
    },
    onTouchEnd() {
      if (pull.state === 'pulling' && pull.travel >= TRIGGER) {
        start.current = null;
        setPull({ state: 'refreshing' });
        void onRefresh().finally(() => setPull(IDLE));
      } else end();
    },
    onTouchCancel: end,
  };

  function end() {
    start.current = null;
    setPull((now) => (now.state === 'refreshing' ? now : IDLE));
  }

  return { handlers, indicator: pull.state === 'idle' ? null : <Indicator pull={pull} /> };
}

function Indicator({ pull }: { readonly pull: Exclude<Pull, { state: 'idle' }> }) {
  const travel = pull.state === 'refreshing' ? TRIGGER : pull.travel;
  return (
    <div
      className="pull"
      data-state={pull.state}
      aria-hidden="true"
      style={{ translate: `0 ${travel / 2}px`, rotate: pull.state === 'pulling' ? `${travel * 2}deg` : undefined }}
    >
      <Icon name="refresh" size={20} />
    </div>
  );
}
