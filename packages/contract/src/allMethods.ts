import { accountMethods } from './accounts/methods.ts';
import { hostMethods } from './bots/pairedHosts.ts';
import { signalMethods } from './bots/signals.ts';
import type { Method } from './http/method.ts';
import { notifyMethods } from './notify/notifyMethods.ts';

/** All methods, in the order of `/openapi.json`. */
export const ALL_METHODS: readonly Method[] = Object.values({
  ...accountMethods,
  ...notifyMethods,
  ...hostMethods,
  ...signalMethods,
});
