import { notifyMethods } from '@heron/contract/notify/notifyMethods.ts';
import { useState } from 'react';
import { usePreferences } from '../../lib/preferences.ts';
import { PushUnreachable, pushState, subscribePush } from '../../lib/push.ts';
import { send } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useNotificationChange } from './useNotificationChange.ts';

const WHY_NOT = { denied: 'notify.pushDenied', install: 'notify.pushInstall', absent: 'notify.pushAbsent' } as const;

/**
 * Subscribes this browser to push notifications, which also arrive while the app is closed; or explains what prevents it.
 *
 * @param pushKey public key of the installation
 */
export function PushOffer({ pushKey }: { pushKey: string }) {
  const { t } = usePreferences();
  const add = useNotificationChange();
  const [state, setState] = useState(pushState);

  async function subscribe() {
    try {
      const subscription = await subscribePush(pushKey);
      if (subscription === null) {
        setState(pushState());
        toast(t('notify.pushRefused'), 'problem');
      } else await send(notifyMethods.addChannel, { kind: 'push', subscription });
    } catch (error) {
      if (!(error instanceof PushUnreachable)) throw error;
      toast(t('notify.pushUnreachable'), 'problem');
    }
  }

  if (state !== 'possible') return <p className="notify-text">{t(WHY_NOT[state])}</p>;
  return (
    <div className="notify-actions">
      <ActButton busy={add.isPending} onClick={() => add.mutate(subscribe)}>
        {t('notify.addPush')}
      </ActButton>
      <p className="notify-text">{t('notify.pushHint')}</p>
    </div>
  );
}
