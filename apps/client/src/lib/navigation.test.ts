import { beforeEach, expect, test } from 'vitest';
import { askBefore, go, goBack, guardLeaving, provideNavigation, pushLayer, setFront, stay } from './navigation.ts';

const moves: string[] = [];
let asked = 0;
let answer = true;
const ask = async () => {
  asked++;
  return answer;
};
const [form, other] = [{ page: 'form' }, { page: 'other' }];

beforeEach(() => {
  moves.length = 0;
  [asked, answer] = [0, true];
  provideNavigation({ go: (path) => moves.push(path), back: (fallback) => moves.push(`back or ${fallback}`) });
  setFront({});
  setFront(form);
});

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a screen without unsaved input is left at once', () => {
  go('/bots/');
  goBack('/bots/');
  expect(moves).toEqual(['/bots/', 'back or /bots/']);
});

test('a user who refuses to leave stays, and is asked again', async () => {
  const guard = guardLeaving(ask);
  answer = false;
  go('/bots/');
  await settle();
  go('/bots/');
  await settle();
  expect([moves, asked, guard.isOn()]).toEqual([[], 2, true]);
  guard.release();
});

test('a user who leaves is asked once, and not by the navigation again', async () => {
  const guard = guardLeaving(ask);
  expect(askBefore(() => moves.push('browser'))).toBe(true);
  await settle();
  // The browser's own Back calls this function a second time.
  expect(askBefore(() => moves.push('again'))).toBe(false);
  expect([moves, asked, guard.isOn()]).toEqual([['browser'], 1, false]);
  guard.release();
});

test('a navigation that ends on the same page makes the next one ask again', async () => {
  const guard = guardLeaving(ask);
  provideNavigation({ go: stay, back: stay });
  go('/manage-users/');
  await settle();
  expect([asked, guard.isOn()]).toEqual([1, true]);
  goBack('/form/');
  await settle();
  expect([asked, guard.isOn()]).toEqual([2, true]);
  guard.release();
});

test('a guard asks only while its page is in front', async () => {
  const guard = guardLeaving(ask);
  go('/bots/');
  await settle();
  setFront(other);
  expect(guard.isOn()).toBe(false);
  go('/exchange-index/');
  expect([moves, asked]).toEqual([['/bots/', '/exchange-index/'], 1]);
  setFront(form);
  expect(guard.isOn()).toBe(true);
  answer = false;
  goBack('/bots/');
  await settle();
  expect([moves.length, asked]).toEqual([2, 2]);
  guard.release();
});

test('a layer handles its navigation itself, and leaving it asks only its own guards', async () => {
  const guard = guardLeaving(ask);
  const layer = { go: (path: string) => moves.push(`over ${path}`), back: () => moves.push('over back') };
  const take = pushLayer(layer);
  go('/help/');
  goBack('/bots/');
  expect([moves, asked]).toEqual([['over /help/', 'over back'], 0]);
  // Closing the window would still lose the input on the page below.
  expect(guard.isOn()).toBe(true);
  const over = guardLeaving(ask);
  goBack('/bots/');
  await settle();
  expect(asked).toBe(1);
  over.release();
  take();
  go('/bots/');
  await settle();
  expect([moves.at(-1), asked]).toEqual(['/bots/', 2]);
  guard.release();
});

test('a screen with saved input is left without a question', () => {
  guardLeaving(ask).release();
  go('/bots/');
  expect([moves, asked]).toEqual([['/bots/'], 0]);
});
