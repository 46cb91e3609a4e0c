import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FieldCeremony, offerAtField } from './offerAtField.ts';

/** Simulates a browser that runs one passkey request at a time: a new one aborts the previous one. */
function stage() {
  let abort: ((why: Error) => void) | null = null;
  let dialog = Promise.resolve(false);
  let answerQuestion = () => {};
  const events: string[] = [];
  let heldBack = false;

  function begin<Answer>(name: string) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    stop();
    events.push(`${name} begins`);
    abort = (why) => {
      events.push(`${name} aborted`);
      reject(why);
    };
    return { promise, resolve, reject };
  }
  function stop() {
    const last = abort;
    abort = null;
    last?.(Object.assign(new Error('stopped'), { name: 'AbortError' }));
  }

  let offered = begin<string>('nothing');
  events.length = 0;
  abort = null;
  const ceremony: FieldCeremony<string, string> = {
    dialog: () => dialog,
    seen: async () => {},
    async question() {
      events.push('question');
      if (heldBack) await new Promise<void>((resolve) => (answerQuestion = resolve));
      return { question: 'q', lastsMs: 300_000 };
    },
    offer() {
      offered = begin('field');
      return offered.promise;
    },
    stop,
  };
  return {
    ceremony,
    events,
    pick: (answer: string) => offered.resolve(answer),
    refuse: (name: string) => offered.reject(Object.assign(new Error(name), { name })),
    holdQuestions: (held: boolean) => (heldBack = held),
    answerQuestion: () => answerQuestion(),
    /** Presses the button: its dialog is announced at once, and opens when its own challenge has arrived. */
    press() {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      dialog = promise;
      return { open: () => begin('dialog').promise.catch(() => resolve(false)), close: resolve };
    },
  };
}

/** Runs all pending microtasks and due timers. */
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the passkey that the user picks at the field is returned', async () => {
  const on = stage();
  const picked = offerAtField(new AbortController().signal, on.ceremony);
  await settle();
  on.pick('mine');
  expect(await picked).toBe('mine');
  expect(vi.getTimerCount()).toBe(0);
});

test('a new challenge is requested before the current one expires', async () => {
  const on = stage();
  const picked = offerAtField(new AbortController().signal, on.ceremony);
  await vi.advanceTimersByTimeAsync(240_000);
  expect(on.events).toEqual(['question', 'field begins', 'field aborted', 'question', 'field begins']);
  on.pick('mine');
  expect(await picked).toBe('mine');
});

test('the dialog of the button stays open for any time, even without the field', async () => {
  const on = stage();
  const leaving = new AbortController();
  const picked = offerAtField(leaving.signal, on.ceremony);
  await settle();
  const button = on.press();
  void button.open();
  await vi.advanceTimersByTimeAsync(600_000);
  leaving.abort();
  await settle();
  expect(on.events).toEqual(['question', 'field begins', 'field aborted', 'dialog begins']);
  button.close(true);
  expect(await picked).toBeNull();
});

test('a challenge that arrives after the dialog was requested starts no other request', async () => {
  const on = stage();
  on.holdQuestions(true);
  const picked = offerAtField(new AbortController().signal, on.ceremony);
  await settle();
  const button = on.press();
  void button.open();
  on.holdQuestions(false);
  on.answerQuestion();
  await settle();
  expect(on.events).toEqual(['question', 'dialog begins']);
  // The dialog closes without a choice: the field offers passkeys again.
  button.close(false);
  await settle();
  expect(on.events.slice(2)).toEqual(['question', 'dialog aborted', 'field begins']);
  on.pick('mine');
  expect(await picked).toBe('mine');
});

test('a dialog that an earlier form has completed does not block a new field', async () => {
  const on = stage();
  on.press().close(true);
  const picked = offerAtField(new AbortController().signal, on.ceremony);
  await settle();
  on.pick('mine');
  expect(await picked).toBe('mine');
});

test('a browser that fails is not tried again', async () => {
  const on = stage();
  const picked = offerAtField(new AbortController().signal, on.ceremony);
  await settle();
  on.refuse('NotAllowedError');
  expect(await picked).toBeNull();
  expect(on.events).toEqual(['question', 'field begins']);
});
