import { keepLocal, readLocal } from './local.ts';

const KEY = 'heron.shortcuts';

/** Whether this device obeys keyboard shortcuts: it does until somebody switches them off. */
export const wantsShortcuts = (): boolean => readLocal(KEY) !== false;

export const wishShortcuts = (on: boolean): void => keepLocal(KEY, on);
