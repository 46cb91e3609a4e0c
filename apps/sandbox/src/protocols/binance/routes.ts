import { ACCOUNT_ROUTES } from './accountRoutes.ts';
import { ORDER_ROUTES } from './orderRoutes.ts';
import { PUBLIC_ROUTES } from './publicRoutes.ts';
import type { Route } from './route.ts';

/** Every endpoint of Binance spot. */
export const ROUTES: readonly Route[] = [...PUBLIC_ROUTES, ...ORDER_ROUTES, ...ACCOUNT_ROUTES];
