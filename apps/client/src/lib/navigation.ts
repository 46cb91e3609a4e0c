/** How screens move, without knowing the router. The app provides it. */
export interface Navigation {
  /** Opens a path. `root` begins a new stack, as a tab does; `replace` takes the place of the current screen. */
  go(path: string, how?: { root?: boolean; replace?: boolean }): void;
  /** One screen back; opens `fallback` when this screen was the first. */
  back(fallback: string): void;
}

let provided: Navigation | undefined;

/** What lies over the page and has screens of its own, the last on top: what is opened in it stays in it. */
let layers: readonly Navigation[] = [];

export function provideNavigation(navigation: Navigation): void {
  provided = navigation;
}

/** Screens move in a layer as long as it is the last. @returns takes it away */
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

/** Something that would be lost with the page, or the layer over it, on which it is. */
interface Guard {
  readonly place: object | null;
  /** Asks whether the page may be left. */
  ask(): Promise<boolean>;
}

const guards = new Set<Guard>();
/** The page that is in front. */
let page: object | null = null;
/** The person lets this one go, until another page comes to the front, or none does. */
let excused: Guard | null = null;

/** The move that was under way leads to no other page: what is on this one is asked for again. */
export function stay(): void {
  excused = null;
}

/** A page has come to the front, for the first time or again. */
export function setFront(next: object): void {
  if (page !== next) excused = null;
  page = next;
}

/** Only what is here is left. */
const front = () => layers.at(-1) ?? page;

/** What has the person asked before a page is left. */
export interface LeaveGuard {
  /** Whether something would be lost now: it is shown, and the person has not let it go. */
  isOn(): boolean;
  release(): void;
}

/** Has the person asked before the page that is in front is left, now and whenever it comes back to the front. */
export function guardLeaving(ask: () => Promise<boolean>): LeaveGuard {
  const guard: Guard = { place: front(), ask };
  guards.add(guard);
  return {
    isOn: () => isArmed(guard) && (guard.place === page || guard.place === front()),
    release: () => void guards.delete(guard),
  };
}

const isArmed = (guard: Guard) => guards.has(guard) && guard !== excused;

/** Asks whether the screen may be left if that is to be asked, and leaves when it may. @returns whether it asks */
export function askBefore(act: () => void): boolean {
  const guard = [...guards].findLast((one) => isArmed(one) && one.place === front());
  if (guard === undefined) return false;
  void guard.ask().then((yes) => {
    if (!yes) return;
    excused = guard;
    act();
  });
  return true;
}

function leave(act: () => void): void {
  if (!askBefore(act)) act();
}
