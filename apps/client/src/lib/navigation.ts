/** How screens move, without knowing the router. The app provides it. */
export interface Navigation {
  /** Opens a path. `root` begins a new stack, as a tab does; `replace` takes the place of the current screen. */
  go(path: string, how?: { root?: boolean; replace?: boolean }): void;
  /** One screen back; opens `fallback` when this screen was the first. */
  back(fallback: string): void;
}

let provided: Navigation | undefined;

export function provideNavigation(navigation: Navigation): void {
  provided = navigation;
}

export function go(path: string, how?: { root?: boolean; replace?: boolean }): void {
  provided?.go(path, how);
}

export function goBack(fallback: string): void {
  provided?.back(fallback);
}
