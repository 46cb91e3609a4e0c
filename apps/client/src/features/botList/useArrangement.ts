import { useState } from 'react';
import { readLocal, storeLocal } from '../../lib/local.ts';
import { type Arrangement, BOT_KINDS, BOT_ORDERS } from './arrange.ts';

const KEY = 'heron.home';

/** Returns the order and filters of the list of bots, which this device stores. The search text is not stored. */
export function useArrangement(): [Arrangement, (change: Partial<Arrangement>) => void] {
  const [arrangement, setArrangement] = useState(readArrangement);
  return [
    arrangement,
    (change) => {
      const { order, kind, search } = { ...arrangement, ...change };
      setArrangement({ order, kind, search });
      storeLocal(KEY, { order, kind });
    },
  ];
}

function readArrangement(): Arrangement {
  const stored = (readLocal(KEY) ?? {}) as Partial<Record<keyof Arrangement, unknown>>;
  return {
    order: BOT_ORDERS.find((order) => order === stored.order) ?? 'running',
    kind: BOT_KINDS.find((kind) => kind === stored.kind) ?? 'all',
    search: '',
  };
}
