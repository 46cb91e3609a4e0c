import { STREAM_PATH } from '@heron/contract/bots/stream.ts';
import { createApi } from './api.ts';
import { fetchOrUseEarly } from './earlyRequests.ts';
import { currentPreferences } from './preferences.ts';
import { sessionEnded } from './session.ts';
import { createStream, type Socket } from './stream.ts';

/** The client sends its requests to the server that delivered this page. */
export const { ask, send, fetchFile } = createApi({
  fetch: fetchOrUseEarly,
  language: () => currentPreferences().display.language,
  onLoggedOut: sessionEnded,
  // In development zod is active and validates every response against the contract.
  ...(import.meta.env.DEV ? { parse: (schema, value) => schema.parse(value) } : {}),
});

/** The stream connects to the bot host while somebody is signed in. */
export const stream = createStream({
  open: () => new WebSocket(new URL(STREAM_PATH, location.href.replace(/^http/, 'ws'))) as unknown as Socket,
  onLoggedOut: sessionEnded,
});
