import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Param } from '@heron/engine/strategies/strategy.ts';
import { strategies as en } from './en/strategies.ts';
import { strategyTitle } from './strategyTitles.ts';
import { bilingual, type Text } from './text.ts';
import { strategies as zh } from './zh/strategies.ts';

interface ParamTexts {
  readonly title: Text;
  readonly help: Text;
  /** Texts of the values of a choice. */
  readonly values?: Readonly<Record<string, Text>>;
}

interface StrategyTexts {
  readonly help: Text;
  readonly params: Readonly<Record<string, ParamTexts>>;
}

const TEXTS: Readonly<Record<string, StrategyTexts>> = bilingual(zh, en);

const TEXTS_BY_PARAM: ReadonlyMap<Param, ParamTexts> = new Map(
  [...STRATEGIES.values()].flatMap(({ id, params }) =>
    params.flatMap((param) => {
      const texts = TEXTS[id]?.params[param.name];
      return texts === undefined ? [] : [[param, texts] as const];
    }),
  ),
);

/** Returns what a strategy does, in a sentence or two; undefined for an unknown one. */
export function strategyHelp(id: string): Text | undefined {
  return TEXTS[id]?.help;
}

/** Returns the title of a parameter by the ids of both; undefined for an unknown one. */
export function strategyParamTitle(strategy: string, param: string): Text | undefined {
  return TEXTS[strategy]?.params[param]?.title;
}

/** Returns the title of a parameter of one of the {@link STRATEGIES}. */
export function paramTitle(param: Param): Text {
  return TEXTS_BY_PARAM.get(param)?.title ?? { zh: param.name, en: param.name };
}

/** Returns what a parameter of one of the {@link STRATEGIES} does; undefined for an unknown one. */
export function paramHelp(param: Param): Text | undefined {
  return TEXTS_BY_PARAM.get(param)?.help;
}

/** Returns the text of a value that a parameter can be set to, or the value itself where it has no text. */
export function paramValueText(param: Param, value: string): Text {
  if ('names' in param && param.names === 'strategies') return strategyTitle(value);
  return TEXTS_BY_PARAM.get(param)?.values?.[value] ?? { zh: value, en: value };
}
