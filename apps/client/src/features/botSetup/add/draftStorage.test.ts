import { beforeEach, describe, expect, test, vi } from 'vitest';
import { emptyDraft, fromTemplate } from './draft.ts';
import { forgetDraft, readDraft, storeDraft } from './draftStorage.ts';

/** Fakes the used part of the browser's storage. */
function storage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
    removeItem: (key: string) => void items.delete(key),
  };
}

describe('the draft of a new bot', () => {
  const stored = { draft: { ...emptyDraft(), name: 'Half done' }, template: 'grid', host: 'k3x9' };
  beforeEach(() => vi.stubGlobal('sessionStorage', storage()));

  test('is stored in its window until the bot is created', () => {
    expect(readDraft(7)).toBeNull();
    storeDraft(7, stored);
    expect(readDraft(7)).toEqual(stored);
    forgetDraft();
    expect(readDraft(7)).toBeNull();
  });

  test('that an older app stored has the defaults of new options', () => {
    const { takerFee, ...texts } = stored.draft.texts;
    const { stop_sell, ...tables } = stored.draft.tables;
    expect([takerFee, stop_sell]).not.toContain(undefined);
    storeDraft(7, { ...stored, draft: { ...stored.draft, texts: { ...texts, buy_pct: '3' }, tables } });
    expect(readDraft(7)?.draft).toEqual({ ...stored.draft, texts: { ...stored.draft.texts, buy_pct: '3' } });
  });

  test('that was stored before there were paired bot hosts runs on this Heron', () => {
    const { host, ...older } = stored;
    expect(host).toBe('k3x9');
    vi.stubGlobal('sessionStorage', {
      ...storage(),
      getItem: () => JSON.stringify({ version: 2, owner: 7, ...older }),
    });
    expect(readDraft(7)?.host).toBeNull();
  });

  test('that was stored before there were venues stays on the demo market', () => {
    const texts = { ...stored.draft.texts, exchange: 'binanceusdm' };
    const older = { ...stored, draft: { ...stored.draft, texts } };
    vi.stubGlobal('sessionStorage', {
      ...storage(),
      getItem: () => JSON.stringify({ version: 1, owner: 7, ...older }),
    });
    expect(readDraft(7)?.draft.texts).toEqual({ ...texts, exchange: 'binanceusdm-demo' });
  });

  test('is not shown to another user who signs in there', () => {
    storeDraft(7, stored);
    expect(readDraft(8)).toBeNull();
  });

  test('is not stored in full storage, and unreadable storage counts as empty', () => {
    vi.stubGlobal('sessionStorage', { ...storage(), setItem: () => assertFull() });
    expect(() => storeDraft(7, stored)).not.toThrow();
    vi.stubGlobal('sessionStorage', { ...storage(), getItem: () => '{' });
    expect(readDraft(7)).toBeNull();
  });
});

function assertFull(): never {
  throw new Error('QuotaExceededError');
}

describe('a template', () => {
  test('does not change venue, mode, money, fees and pairs', () => {
    const draft = emptyDraft();
    const own = { exchange: 'binanceusdm-demo', mode: 'live', takerFee: '0.05', currency_capital: '500' };
    const typed = { ...draft, pairs: ['SOL-USDT'], texts: { ...draft.texts, ...own, buy_pct: '99' } };
    const begun = fromTemplate(typed, { options: { buy_pct: 10, strategy: 'grid' }, params: { levels: 8 } });
    expect(begun.pairs).toEqual(['SOL-USDT']);
    expect(begun.texts).toMatchObject({ ...own, buy_pct: '10', strategy: 'grid' });
    expect(begun.params).toMatchObject({ levels: '8' });
    expect(fromTemplate(typed, null).texts).toMatchObject({ ...own, buy_pct: '20', strategy: 'macd' });
  });
});
