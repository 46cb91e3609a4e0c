import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Words } from './words.ts';

/** Title of a strategy in the reader's language; its id when it is not known here. */
export function strategyTitle(id: string, { look }: Words): string {
  return STRATEGIES.get(id)?.title[look.language === 'zh-CN' ? 'zh' : 'en'] ?? id;
}
