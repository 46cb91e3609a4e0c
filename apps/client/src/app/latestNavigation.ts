import type { Router } from 'framework7/types';

let turn = 0;

/** A move begins: screens that earlier ones wait for are not wanted any more. */
export function beginTurn(): void {
  turn++;
}

/**
 * The same routes, of which only the newest move brings its screen. The router lets moves begin while the files of a screen
 * are on their way; two that then came together mixed up the pages of both, and the app was left without any.
 */
export function inTurn(routes: readonly Router.RouteParameters[]): Router.RouteParameters[] {
  return routes.map((route) => {
    const bring = route.asyncComponent as (() => Promise<unknown>) | undefined;
    if (!bring) return route;
    return {
      ...route,
      async asyncComponent() {
        const mine = turn;
        const brought = await bring();
        // For ever: the router has nothing to undo as long as it has no answer.
        return mine === turn ? brought : new Promise(() => {});
      },
    };
  });
}
