/** What control asks of the worker of live bots about exchange keys. */
export const KEY_PATHS = { add: '/keys', test: '/keys/test' } as const;
