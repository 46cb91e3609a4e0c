import { home } from './home.ts';
import { login } from './login.ts';
import { shell } from './shell.ts';

/** What a first visit needs: the shell, the list of bots, the login. */
export const first = { ...shell, ...home, ...login };
