import { applyTheme, currentDisplay, readChoices } from './lib/display.ts';
import { lastMember, MEMBER_INFO_PATH, startEarlyRequest } from './lib/earlyRequests.ts';
import { loadTexts } from './locales/loadTexts.ts';

// This file stays small. It applies the theme before the first paint, and requests texts, session and bots while the shell
// still loads.
const display = currentDisplay(readChoices());
applyTheme(display);
void loadTexts(display.language, 'first');

const headers = { accept: 'application/json', 'accept-language': display.language };
startEarlyRequest(MEMBER_INFO_PATH, {
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  credentials: 'same-origin',
  body: '{}',
});
if (lastMember() !== null && /^\/(bots\/?)?$/.test(location.pathname))
  startEarlyRequest('/bot/bots', { method: 'GET', headers, credentials: 'same-origin' });

void import('./app/start.tsx').then(({ start }) => start());
