import { home } from './home.ts';
import { login } from './login.ts';
import { shell } from './shell.ts';

/** Texts of the first load: the shell, the list of bots, the sign-in. */
export const first = { ...shell, ...home, ...login };
