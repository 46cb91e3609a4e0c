import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { z } from 'zod';
import { usePreferences } from '../../../lib/preferences.ts';
import { explain } from '../../../ui/explain.ts';
import { SelectField } from '../../../ui/fields/SelectField.tsx';

type BotList = z.output<typeof botCalls.list.response>;

interface HostFieldProps {
  /** Id of the chosen bot host; null for the own one. */
  readonly host: string | null;
  readonly hosts: NonNullable<BotList['hosts']>;
  /** Whether the own bot host does not respond. */
  readonly ownAway: BotList['ownAway'];
  /** The reason why the chosen host has not responded. */
  readonly error: Error | null;
  /** Is called with an id; empty for the own host. */
  readonly onChange: (id: string) => void;
}

/** Chooses the bot host that runs the bot. A chosen host that was removed meanwhile stays visible. */
export function HostField({ host, hosts, ownAway, error, onChange }: HostFieldProps) {
  const { t } = usePreferences();
  const isGone = host !== null && !hosts.some(({ id }) => id === host);

  function fault() {
    if (host === null) return ownAway && t('hosts.ownSilent');
    if (isGone) return t('hosts.chooseAgain');
    return error && explain(error, t);
  }

  return (
    <SelectField
      label={t('hosts.where')}
      value={host ?? ''}
      choices={[
        { value: '', title: ownAway ? t('hosts.notUp', { host: t('hosts.own') }) : t('hosts.own') },
        ...hosts.map(({ id, name, state }) => ({
          value: id,
          title: state === 'up' ? name : t('hosts.notUp', { host: name }),
        })),
        ...(isGone ? [{ value: host, title: t('hosts.gone') }] : []),
      ]}
      fault={fault()}
      onChange={onChange}
    />
  );
}
