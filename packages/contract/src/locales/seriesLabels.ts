import { seriesLabels as en } from './en/seriesLabels.ts';
import { bilingual } from './text.ts';
import { seriesLabels as zh } from './zh/seriesLabels.ts';

/** Labels of the series of strategies that no parameter names, by the name of the series. */
export const SERIES_LABELS = bilingual(zh, en);
