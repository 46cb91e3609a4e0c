import { ENVIRONMENT_TITLES } from '@heron/contract/locales/venueTexts.ts';
import { ENVIRONMENT_ORDER, environmentOf } from '@heron/engine/options/venues.ts';
import type { StartSettings } from './settings.ts';

/** Whether the demo market has to run. */
export function hasDemo({ venues }: Pick<StartSettings, 'venues'>): boolean {
  return venues.some((id) => environmentOf(id) === 'demo');
}

/** Names the markets that bots may trade on, for the terminal. */
export function marketsText({ venues }: Pick<StartSettings, 'venues'>): string {
  const enabled = new Set(venues.map(environmentOf));
  return ENVIRONMENT_ORDER.filter((environment) => enabled.has(environment))
    .map((environment) => ENVIRONMENT_TITLES[environment].en)
    .join(', ');
}
