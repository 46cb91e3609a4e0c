import { useState } from 'react';
import { keepLocal, readLocal } from './local.ts';

const KEY = 'heron.panes';

/** A measure of a screen that a person sets by dragging. */
export interface Pane {
  readonly name: string;
  /** In px. */
  readonly usual: number;
  readonly least: number;
  readonly most: number;
}

/**
 * How large a person has made a pane on this device, in px.
 *
 * @returns the size, and how it is set and kept; null is the usual one
 */
export function usePane(pane: Pane): [number, (size: number | null) => void] {
  const [size, setSize] = useState(() => sizeOf(pane, readPanes()[pane.name]));
  return [
    size,
    (wanted) => {
      const given = wanted === null ? pane.usual : sizeOf(pane, wanted);
      setSize(given);
      keepPane(pane.name, wanted === null ? undefined : given);
    },
  ];
}

/** Anything but a number is the usual size; one that is too small or too large is the nearest. */
export function sizeOf({ usual, least, most }: Pane, wanted: unknown): number {
  if (typeof wanted !== 'number' || !Number.isFinite(wanted)) return usual;
  return Math.round(Math.min(most, Math.max(least, wanted)));
}

function readPanes(): Record<string, unknown> {
  return { ...(readLocal(KEY) as object | null) };
}

function keepPane(name: string, size: number | undefined): void {
  keepLocal(KEY, { ...readPanes(), [name]: size });
}
