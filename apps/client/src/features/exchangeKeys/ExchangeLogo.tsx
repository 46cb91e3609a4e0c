import type { ExchangeName } from '@heron/engine/options/exchanges.ts';

/** Self-drawn marks distinguish the exchanges without using a trademark. */
const MARKS: Readonly<Record<ExchangeName, { readonly colour: string; readonly path: string }>> = {
  binance: { colour: '#b7860b', path: 'M12 5l7 7-7 7-7-7z' },
  binanceusdm: { colour: '#b7860b', path: 'M12 4l8 8-8 8-8-8zM12 9v6M9.5 11.5L12 9l2.5 2.5' },
  mexc: { colour: '#1972e2', path: 'M4 17l5-9 3 5 3-5 5 9' },
  pancakeswap: { colour: '#0f8f93', path: 'M5 9c0 4 14 4 14 0M5 13c0 4 14 4 14 0M5 9c0-4 14-4 14 0' },
  uniswap: { colour: '#d6247f', path: 'M6 18c0-8 4-12 9-12 3 0 4 2 3 4-2 3-7 2-7 8' },
};

/** Draws the mark of an exchange. It is beside the name, so it is hidden from screen readers. */
export function ExchangeLogo({ exchange }: { exchange: ExchangeName }) {
  const { colour, path } = MARKS[exchange];
  return (
    <svg className="exchange-logo" viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
      <rect width="24" height="24" rx="7" fill={colour} />
      <path d={path} fill="none" stroke="#fff" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
