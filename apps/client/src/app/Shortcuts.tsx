import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { go } from '../lib/navigation.ts';
import { areShortcutsOn } from '../lib/shortcutSetting.ts';
import { nextShortcut, type Shortcut, type ShortcutAct } from './shortcuts.ts';

/** Two keys of one shortcut must follow each other within this time. */
const TOGETHER_MS = 1_200;
const DESK = '(min-width: 60em)';

/** Handles keyboard shortcuts of members on a wide screen, except in a field or while a dialog is open. */
export function Shortcuts() {
  const [List, setList] = useState<ComponentType<{ onClose: () => void }> | null>(null);

  const run = useEffectEvent((act: ShortcutAct) => {
    if (act === 'list')
      void import('./ShortcutSheet.tsx').then(
        ({ ShortcutSheet }) => setList(() => ShortcutSheet),
        () => {},
      );
    else if ('go' in act) go(act.go, { root: act.go !== '/bot-add/' });
    else if ('bot' in act) neighbour(act.bot)?.click();
    else if ('focus' in act) marked(act.focus)[0]?.focus();
    else marked(act.press)[act.nth ?? 0]?.click();
  });

  useEffect(() => {
    let before: readonly string[] = [];
    let pressedAt = 0;
    function press(event: KeyboardEvent) {
      const { key, timeStamp } = event;
      if (!mayBeShortcut(event)) return;
      const found = nextShortcut(timeStamp - pressedAt < TOGETHER_MS ? before : [], key);
      pressedAt = timeStamp;
      before = isBegun(found) ? found : [];
      if (found === null || isBegun(found)) return;
      // Otherwise the field that gets the focus would also receive the key.
      event.preventDefault();
      run(found.act);
    }
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);

  return List && <List onClose={() => setList(null)} />;
}

/** Returns whether a key press counts here and now: on a wide screen, outside of fields and dialogs, without other keys. */
function mayBeShortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return false;
  if (event.defaultPrevented || isTyped(event.target) || !matchMedia(DESK).matches || !areShortcutsOn()) return false;
  return document.querySelector('dialog[open]') === null;
}

function isBegun(found: Shortcut | readonly string[] | null): found is readonly string[] {
  return Array.isArray(found);
}

const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';

function isTyped(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

/** Returns the elements of the screen in front that are marked for a shortcut, visible and enabled. */
function marked(name: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[data-shortcut="${name}"]`)]
    .map((one) => (one.matches(`${FIELDS}, button`) ? one : one.querySelector<HTMLElement>(FIELDS)))
    .filter((one) => one !== null)
    .filter((one) => one.checkVisibility() && !one.closest('[inert]') && !one.matches(':disabled'));
}

/** Returns the next or previous visible bot of the list; without an open bot, the first or the last. */
function neighbour(step: 1 | -1): HTMLElement | undefined {
  const bots = [...document.querySelectorAll<HTMLElement>('[data-shortcut="bot"]')].filter((one) =>
    one.checkVisibility(),
  );
  const open = bots.findIndex((one) => one.getAttribute('aria-current') === 'page');
  return bots[open < 0 ? (step === 1 ? 0 : bots.length - 1) : open + step];
}
