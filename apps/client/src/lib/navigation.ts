/** Moves between screens without a dependency on the router. The app provides it. */
export interface Navigation {
  /** Opens a path. `root` starts a new stack, as a tab does; `replace` replaces the current screen. */
  go(path: string, how?: { root?: boolean; replace?: boolean }): void;
  /** Moves one screen back, or opens `fallback` when this screen is the first. */
  back(fallback: string): void;
}

let provided: Navigation | undefined;

/** These overlays have screens of their own; the last is on top. Navigation inside an overlay stays in it. */
let layers: readonly Navigation[] = [];

export function provideNavigation(navigation: Navigation): void {
  provided = navigation;
}

/** Directs navigation to a layer while it is the topmost one. @returns removes the layer */
export function pushLayer(layer: Navigation): () => void {
  layers = [...layers, layer];
  return () => {
    layers = layers.filter((one) => one !== layer);
  };
}

const mover = () => layers.at(-1) ?? provided;

export function go(path: string, how?: { root?: boolean; replace?: boolean }): void {
  leave(() => mover()?.go(path, how));
}

export function goBack(fallback: string): void {
  leave(() => mover()?.back(fallback));
}

/** A guard protects unsaved input on a page or on the overlay above it. */
interface Guard {
  readonly place: object | null;
  /** Asks the user whether to leave the page. */
  ask(): Promise<boolean>;
}

const guards = new Set<Guard>();
/** This is the page in front. */
let page: object | null = null;
/**
 * The user has confirmed leaving despite this guard. This lasts until another page is in front, or until `stay` is
 * called.
 */
let confirmed: Guard | null = null;

/** Reports that a navigation ended on the same page, so that its guard asks the user again. */
export function stay(): void {
  confirmed = null;
}

/** Sets the page in front. */
export function setFront(next: object): void {
  if (page !== next) confirmed = null;
  page = next;
}

/** Only the topmost layer, or else the page in front, is left by a navigation. */
const front = () => layers.at(-1) ?? page;

/** A leave guard asks the user before a page is left. */
export interface LeaveGuard {
  /** Returns whether the page or layer is in front and has unsaved input that the user has not agreed to lose. */
  isOn(): boolean;
  release(): void;
}

/** Asks the user before the page in front is left, now and whenever it is in front again. */
export function guardLeaving(ask: () => Promise<boolean>): LeaveGuard {
  const guard: Guard = { place: front(), ask };
  guards.add(guard);
  return {
    isOn: () => isArmed(guard) && (guard.place === page || guard.place === front()),
    release: () => void guards.delete(guard),
  };
}

const isArmed = (guard: Guard) => guards.has(guard) && guard !== confirmed;

/**
 * Runs `act` after the user confirms, if a guard protects the screen. @returns whether a guard asks; without one, `act`
 * does not run
 */
export function askBefore(act: () => void): boolean {
  const guard = [...guards].findLast((one) => isArmed(one) && one.place === front());
  if (guard === undefined) return false;
  void guard.ask().then((yes) => {
    if (!yes) return;
    confirmed = guard;
    act();
  });
  return true;
}

function leave(act: () => void): void {
  if (!askBefore(act)) act();
}
