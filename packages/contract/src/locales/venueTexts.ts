import { environmentOf, exchangeOfVenue } from '@heron/engine/options/venues.ts';
import { environments as environmentsEn, exchanges as exchangesEn } from './en/venues.ts';
import { bilingual, type Text } from './text.ts';
import { environments as environmentsZh, exchanges as exchangesZh } from './zh/venues.ts';

/** Titles of the environments. */
export const ENVIRONMENT_TITLES = bilingual(environmentsZh, environmentsEn);

/** Titles and descriptions of the exchanges by name. */
export const EXCHANGE_TEXTS = bilingual(exchangesZh, exchangesEn);

/** Returns the title of the exchange of a venue, or the id of an unknown venue. */
export function exchangeTitle(id: string): Text {
  const exchange = exchangeOfVenue(id);
  return exchange === undefined ? { zh: id, en: id } : EXCHANGE_TEXTS[exchange.name].title;
}

/** Returns the title of a venue: the exchange, with the environment unless that is the real one. */
export function venueTitle(id: string): Text {
  const title = exchangeTitle(id);
  const environment = environmentOf(id);
  if (environment === 'real') return title;
  const { zh, en } = ENVIRONMENT_TITLES[environment];
  return { zh: `${title.zh}（${zh}）`, en: `${title.en} (${en.toLowerCase()})` };
}
