import { describe, expect, test } from 'vitest';
import { CHART_DEFAULTS, chartOptionsOf } from './chartOptions.ts';

describe('options of the chart', () => {
  test('are the defaults until the user changes them', () => {
    expect(chartOptionsOf({})).toEqual(CHART_DEFAULTS);
  });

  test('keep the choices of the user', () => {
    const chosen = {
      ...CHART_DEFAULTS,
      upColor: '#00ff00',
      colorIntel: false,
      hideSignal: true,
      visibleRange: 500,
      markerSize: 0.5,
      markerPos: 'inBar',
      markerShape: 'square',
    } as const;
    expect(chartOptionsOf(JSON.parse(JSON.stringify(chosen)))).toEqual(chosen);
  });

  test('replace invalid values by the defaults', () => {
    const stored = {
      upColor: 'red; background: url(x)',
      downColor: 5,
      colorIntel: 'yes',
      visibleRange: 9,
      markerSize: Number.NaN,
      markerPos: 'atPriceTop',
      markerShape: null,
      other: 1,
    };
    expect(chartOptionsOf(stored)).toEqual(CHART_DEFAULTS);
  });
});
