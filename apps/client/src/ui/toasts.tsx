import { useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { currentPreferences, usePreferences } from '../lib/preferences.ts';
import { Button } from './Button.tsx';
import { Overlay } from './Overlay.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'problem';
}

/** An offer is an optional action. It stays until it is accepted or dismissed. */
interface Offer {
  /** An offer replaces an older one with the same id. */
  readonly id: string;
  readonly text: string;
  readonly label: string;
  readonly act: () => void;
}

interface Question {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly danger?: boolean;
  /** The user can only acknowledge the message. */
  readonly only?: boolean;
  readonly answer: (yes: boolean) => void;
}

const toastStore = createStore<{
  toasts: readonly Toast[];
  offers: readonly Offer[];
  question: Question | null;
}>(() => ({
  toasts: [],
  offers: [],
  question: null,
}));

/** Toasts stay for 2 s; errors stay longer, because they must be read. The times are in ms. */
const STAY_MS = { done: 2_000, problem: 5_000 } as const;
let next = 1;

/** Shows a toast, which screen readers also announce. The text is never parsed as markup. */
export function toast(text: string, kind: Toast['kind'] = 'done'): void {
  const id = next++;
  toastStore.setState(({ toasts }) => ({ toasts: [...toasts.slice(-2), { id, text, kind }] }));
  setTimeout(
    () => toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) })),
    STAY_MS[kind],
  );
}

/** Shows an offer with its button; it needs no response. */
export function offer(given: Offer): void {
  withdraw(given.id);
  toastStore.setState(({ offers }) => ({ offers: [...offers, given] }));
}

function withdraw(id: string): void {
  toastStore.setState(({ offers }) => ({ offers: offers.filter((one) => one.id !== id) }));
}

/** Asks the user to confirm an important action. @returns whether the person agreed */
export function confirm(question: Omit<Question, 'answer' | 'only'>): Promise<boolean> {
  return ask(question);
}

/** Shows a message that the user must acknowledge first. */
export async function inform({ title, text }: { title: string; text: string }): Promise<void> {
  await ask({ title, text, confirm: currentPreferences().t('app.ok'), only: true });
}

function ask(question: Omit<Question, 'answer'>): Promise<boolean> {
  return new Promise((resolve) => {
    toastStore.setState({
      question: {
        ...question,
        answer(yes) {
          toastStore.setState({ question: null });
          resolve(yes);
        },
      },
    });
  });
}

/** Renders toasts and questions. The app renders it once. */
export function Toasts() {
  const { t } = usePreferences();
  const { toasts, question } = useStore(toastStore);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // A popover shown again is above an open dialog, since the most recent one is on top.
    place.current?.hidePopover?.();
    if (toasts.length > 0) place.current?.showPopover?.();
  }, [toasts]);
  return (
    <>
      <div ref={place} popover="manual" className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text, kind }) => (
          <p key={id} className={`toast-note toast-${kind}`}>
            {text}
          </p>
        ))}
      </div>
      {question && (
        <Overlay alert title={question.title} onClose={() => question.answer(false)}>
          <p className="overlay-text">{question.text}</p>
          <div className="overlay-actions">
            {!question.only && <Button onClick={() => question.answer(false)}>{t('app.cancel')}</Button>}
            <Button kind={question.danger ? 'danger' : 'primary'} onClick={() => question.answer(true)}>
              {question.confirm}
            </Button>
          </div>
        </Overlay>
      )}
    </>
  );
}

/** Renders offers above the screen, never over it. The app renders it once. */
export function Offers() {
  const { t } = usePreferences();
  const offers = useStore(toastStore, (state) => state.offers);
  return (
    <div role="status">
      {offers.map(({ id, text, label, act }) => (
        <div key={id} className="offer">
          <p>{text}</p>
          <Button
            onClick={() => {
              withdraw(id);
              act();
            }}
          >
            {label}
          </Button>
          <Button kind="quiet" icon="close" aria-label={t('app.close')} onClick={() => withdraw(id)} />
        </div>
      ))}
    </div>
  );
}
