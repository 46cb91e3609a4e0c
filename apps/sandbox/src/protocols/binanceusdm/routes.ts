import { ACCOUNT_ROUTES } from './accountRoutes.ts';
import { ALGO_ROUTES } from './algoRoutes.ts';
import { ORDER_ROUTES } from './orderRoutes.ts';
import { PUBLIC_ROUTES } from './publicRoutes.ts';
import type { Route } from './route.ts';
import { SETTING_ROUTES } from './settingRoutes.ts';

export const ROUTES: readonly Route[] = [
  ...PUBLIC_ROUTES,
  ...ORDER_ROUTES,
  ...ALGO_ROUTES,
  ...ACCOUNT_ROUTES,
  ...SETTING_ROUTES,
  {
    method: 'POST',
    path: '/fapi/v1/listenKey',
    security: 'key',
    weight: 1,
    handle: ({ listenKeys, now }) => ({ listenKey: listenKeys.make(now) }),
  },
  {
    method: 'PUT',
    path: '/fapi/v1/listenKey',
    security: 'key',
    weight: 1,
    handle: ({ listenKeys, now }) => ({ listenKey: listenKeys.keepAlive(now) }),
  },
  {
    method: 'DELETE',
    path: '/fapi/v1/listenKey',
    security: 'key',
    weight: 1,
    handle({ listenKeys }) {
      listenKeys.close();
      return {};
    },
  },
];
