import { beforeEach, describe, expect, test, vi } from 'vitest';
import { emptyDraft, fromTemplate } from './draft.ts';
import { forgetDraft, keepDraft, keptDraft } from './draftStorage.ts';

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
  const kept = { draft: { ...emptyDraft(), name: 'Half done' }, template: 'grid', host: 'k3x9' };
  beforeEach(() => vi.stubGlobal('sessionStorage', storage()));

  test('is stored in its window until the bot is created', () => {
    expect(keptDraft(7)).toBeNull();
    keepDraft(7, kept);
    expect(keptDraft(7)).toEqual(kept);
    forgetDraft();
    expect(keptDraft(7)).toBeNull();
  });

  test('that an older app stored has the defaults of new options', () => {
    const { takerFee, ...texts } = kept.draft.texts;
    const { stop_sell, ...tables } = kept.draft.tables;
    expect([takerFee, stop_sell]).not.toContain(undefined);
    keepDraft(7, { ...kept, draft: { ...kept.draft, texts: { ...texts, buy_pct: '3' }, tables } });
    expect(keptDraft(7)?.draft).toEqual({ ...kept.draft, texts: { ...kept.draft.texts, buy_pct: '3' } });
  });

  test('that was stored before there were paired bot hosts runs on this Heron', () => {
    const { host, ...older } = kept;
    expect(host).toBe('k3x9');
    vi.stubGlobal('sessionStorage', {
      ...storage(),
      getItem: () => JSON.stringify({ version: 2, owner: 7, ...older }),
    });
    expect(keptDraft(7)?.host).toBeNull();
  });

  test('that was stored before there were venues stays on the demo market', () => {
    const texts = { ...kept.draft.texts, exchange: 'binanceusdm' };
    const older = { ...kept, draft: { ...kept.draft, texts } };
    vi.stubGlobal('sessionStorage', {
      ...storage(),
      getItem: () => JSON.stringify({ version: 1, owner: 7, ...older }),
    });
    expect(keptDraft(7)?.draft.texts).toEqual({ ...texts, exchange: 'binanceusdm-demo' });
  });

  test('is not shown to another user who signs in there', () => {
    keepDraft(7, kept);
    expect(keptDraft(8)).toBeNull();
  });

  test('is not stored in full storage, and unreadable storage counts as empty', () => {
    vi.stubGlobal('sessionStorage', { ...storage(), setItem: () => assertFull() });
    expect(() => keepDraft(7, kept)).not.toThrow();
    vi.stubGlobal('sessionStorage', { ...storage(), getItem: () => '{' });
    expect(keptDraft(7)).toBeNull();
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
