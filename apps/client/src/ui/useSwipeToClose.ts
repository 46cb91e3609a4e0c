import { type PointerEvent, type RefObject, useRef } from 'react';

/** A swipe down closes the overlay after this distance in CSS pixels, or above this speed in pixels per millisecond. */
const FAR = 110;
const FAST = 0.6;

/** Returns handlers for the head of an overlay: a downward swipe closes it. */
export function useSwipeToClose(box: RefObject<HTMLElement | null>, onClose: () => void) {
  const start = useRef<{ y: number; at: number } | null>(null);

  function show(down: number) {
    if (box.current) box.current.style.translate = down > 0 ? `0 ${down}px` : '';
  }

  function end(event: PointerEvent, isLetGo: boolean) {
    if (start.current === null) return;
    const { y, at } = start.current;
    start.current = null;
    show(0);
    const down = event.clientY - y;
    if (isLetGo && (down > FAR || down / Math.max(1, event.timeStamp - at) > FAST)) onClose();
  }

  return {
    onPointerDown(event: PointerEvent) {
      if (event.pointerType === 'mouse' || !(event.target instanceof Element) || event.target.closest('button')) return;
      start.current = { y: event.clientY, at: event.timeStamp };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      if (start.current !== null) show(event.clientY - start.current.y);
    },
    onPointerUp: (event: PointerEvent) => end(event, true),
    onPointerCancel: (event: PointerEvent) => end(event, false),
  };
}
