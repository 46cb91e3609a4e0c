import { home } from './home.ts';
import { login } from './login.ts';
import { shell } from './shell.ts';

/** Holds the texts of the first load: the shell, the list of bots, sign-in. */
export const first = { ...shell, ...home, ...login };
