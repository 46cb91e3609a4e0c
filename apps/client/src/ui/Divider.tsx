import './style/divider.css';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { Pane } from '../lib/panes.ts';

const STEP = 16;

interface DividerProps {
  /** The label names the pane that the divider resizes. */
  readonly label: string;
  readonly pane: Pane;
  readonly size: number;
  /** Sets the size in px; null restores the usual size. */
  readonly onSize: (size: number | null) => void;
  /** The resized pane is on this side of the divider. */
  readonly sizes: 'right' | 'left' | 'above';
}

/**
 * Renders a divider between two panes. It is dragged, or moved with arrow keys, Home and End; a double click restores
 * the usual size.
 */
export function Divider({ label, pane, size, onSize, sizes }: DividerProps) {
  const across = sizes === 'above';
  // The sign is negative when the pane grows to the left.
  const sign = sizes === 'right' ? -1 : 1;
  const at = ({ clientX, clientY }: PointerEvent) => (across ? clientY : clientX);
  const grasped = useRef<{ readonly at: number; readonly size: number } | null>(null);

  function grasp(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    grasped.current = { at: at(event), size };
  }

  function drag(event: PointerEvent): void {
    const from = grasped.current;
    if (from !== null) onSize(from.size + sign * (at(event) - from.at));
  }

  function move(event: KeyboardEvent): void {
    const [less, more] = across ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
    const steps: Record<string, number | null> = {
      [less as string]: size - sign * STEP,
      [more as string]: size + sign * STEP,
      Home: pane.min,
      End: pane.max,
      Enter: null,
    };
    const wanted = steps[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    onSize(wanted);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> can be neither focused nor moved.
    <div
      className={`divider ${across ? 'divider-across' : ''}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={across ? 'horizontal' : 'vertical'}
      aria-valuemin={pane.min}
      aria-valuemax={pane.max}
      aria-valuenow={size}
      onPointerDown={grasp}
      onPointerMove={drag}
      onLostPointerCapture={() => {
        grasped.current = null;
      }}
      onDoubleClick={() => onSize(null)}
      onKeyDown={move}
    />
  );
}
