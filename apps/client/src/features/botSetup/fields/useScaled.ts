import { useState } from 'react';
import { figure } from '../../../entities/bot/setup/setupDraft.ts';

/**
 * Edits a number in another unit than the stored one. Text that is not a number is stored as typed.
 *
 * @param scale stored units in one shown unit
 */
export function useScaled(stored: string, scale: number, onChange: (stored: string) => void) {
  const [typed, setTyped] = useState(() => scaled(stored, 1 / scale));
  // The value may have changed elsewhere, for example by a reset.
  const value = scaled(typed, scale) === stored ? typed : scaled(stored, 1 / scale);
  return {
    value,
    onChange(text: string) {
      setTyped(text);
      onChange(scaled(text, scale));
    },
  };
}

/** Returns a typed number times a factor, as text; other text as it is. */
function scaled(text: string, factor: number): string {
  const number = figure(text);
  return Number.isFinite(number) && factor !== 1 ? String(Number((number * factor).toFixed(6))) : text;
}
