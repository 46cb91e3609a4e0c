/** How screens move, without knowing the router. The app provides it. */
export interface Navigation {
  /** Opens a path. `root` begins a new stack, as a tab does; `replace` takes the place of the current screen. */
  go(path: string, how?: { root?: boolean; replace?: boolean }): void;
  /** One screen back; opens `fallback` when this screen was the first. */
  back(fallback: string): void;
}

let provided: Navigation | undefined;

/** Asks whether the screen may be left; null while nothing on it would be lost. */
let question: (() => Promise<boolean>) | null = null;

export function provideNavigation(navigation: Navigation): void {
  provided = navigation;
}

export function go(path: string, how?: { root?: boolean; replace?: boolean }): void {
  if (!askBefore(() => provided?.go(path, how))) provided?.go(path, how);
}

export function goBack(fallback: string): void {
  if (!askBefore(() => provided?.back(fallback))) provided?.back(fallback);
}

/** Has the person asked before this screen is left. @returns takes that back */
export function guardLeaving(ask: () => Promise<boolean>): () => void {
  question = ask;
  return () => {
    if (question === ask) question = null;
  };
}

/** Asks whether the screen may be left if that is to be asked, and leaves when it may. @returns whether it asks */
export function askBefore(leave: () => void): boolean {
  const asked = question;
  if (asked === null) return false;
  void asked().then((yes) => {
    if (!yes) return;
    if (question === asked) question = null;
    leave();
  });
  return true;
}
