import { readLocal, storeLocal } from './local.ts';

const KEY = 'heron.shortcuts';

/** Returns whether keyboard shortcuts are on for this device. They are on by default. */
export const areShortcutsOn = (): boolean => readLocal(KEY) !== false;

export const setShortcutsOn = (on: boolean): void => storeLocal(KEY, on);
