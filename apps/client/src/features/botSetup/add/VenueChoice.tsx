import { ENVIRONMENT_TITLES, exchangeTitle } from '@heron/contract/locales/venueTexts.ts';
import {
  ENVIRONMENT_ORDER,
  type Environment,
  environmentOf,
  type VenueId,
  venueOf,
} from '@heron/engine/options/venues.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { Choice } from '../../../ui/fields/Choice.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';

interface VenueChoiceProps {
  /** Id of the chosen venue. */
  readonly venue: string;
  /** The venues that can be chosen. */
  readonly venues: readonly VenueId[];
  /** True for a bot that is to trade live. */
  readonly live: boolean;
  readonly fault: string | undefined;
  readonly onChange: (venue: VenueId) => void;
}

/** Chooses the environment of a bot and then the exchange, and explains both. */
export function VenueChoice({ venue, venues, live, fault, onChange }: VenueChoiceProps) {
  const { t, language } = usePreferences();
  const environment = environmentOf(venue);
  const offered = ENVIRONMENT_ORDER.filter((each) => venues.some((id) => environmentOf(id) === each));
  const inEnvironment = venues.filter((id) => environmentOf(id) === environment);

  /** Chooses the same exchange in the new environment, or else its first one. */
  function changeEnvironment(next: Environment) {
    const there = venues.filter((id) => environmentOf(id) === next);
    const same = there.find((id) => venueOf(id)?.exchange === venueOf(venue)?.exchange);
    const found = same ?? there[0];
    if (found !== undefined) onChange(found);
  }

  return (
    <>
      {offered.length > 1 && (
        <Choice
          label={t('add.market')}
          value={environment}
          choices={offered.map((each) => ({
            value: each,
            title:
              each === 'real' ? t(live ? 'market.realMoney' : 'market.realPrices') : ENVIRONMENT_TITLES[each][language],
          }))}
          onChange={changeEnvironment}
        />
      )}
      <p className="field-note form-note" data-testid="venue-text">
        {t(`venues.${live ? 'live' : 'paper'}.${environment}`)}
      </p>
      <SelectField
        label={t('add.exchange')}
        value={venue}
        choices={inEnvironment.map((id) => ({ value: id, title: exchangeTitle(id)[language] }))}
        fault={fault}
        onChange={(next) => onChange(inEnvironment.find((id) => id === next) ?? (venue as VenueId))}
      />
    </>
  );
}
