import { useState } from 'react';
import { readLocal, storeLocal } from './local.ts';

const KEY = 'heron.panes';

/** A part of the screen whose size the user changes by dragging. */
export interface Pane {
  readonly name: string;
  /** Sizes in px. */
  readonly initial: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Holds the size that the user chose for a pane on this device.
 *
 * @returns the size in px, and a function that sets and stores it; null restores the initial size
 */
export function usePane(pane: Pane): [number, (size: number | null) => void] {
  const [size, setSize] = useState(() => sizeOf(pane, readPanes()[pane.name]));
  return [
    size,
    (wanted) => {
      const given = wanted === null ? pane.initial : sizeOf(pane, wanted);
      setSize(given);
      storePane(pane.name, wanted === null ? undefined : given);
    },
  ];
}

/** Returns the initial size for a value that is not a number, and limits any other value to the range. */
export function sizeOf({ initial, min, max }: Pane, wanted: unknown): number {
  if (typeof wanted !== 'number' || !Number.isFinite(wanted)) return initial;
  return Math.round(Math.min(max, Math.max(min, wanted)));
}

function readPanes(): Record<string, unknown> {
  return { ...(readLocal(KEY) as object | null) };
}

function storePane(name: string, size: number | undefined): void {
  storeLocal(KEY, { ...readPanes(), [name]: size });
}
