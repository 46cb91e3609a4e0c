import { keepLocal, readLocal } from './local.ts';

const KEY = 'heron.shortcuts';

/** Returns whether keyboard shortcuts are on for this device. They are on by default. */
export const wantsShortcuts = (): boolean => readLocal(KEY) !== false;

export const wishShortcuts = (on: boolean): void => keepLocal(KEY, on);
