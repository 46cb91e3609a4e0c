import './settings.css';
import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clearCaches, clearDevice } from '../../lib/deviceData.ts';
import type { DisplayChoices } from '../../lib/display.ts';
import { DEVICE, orDevice } from '../../lib/orDevice.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { send } from '../../lib/server.ts';
import { useSession } from '../../lib/session.ts';
import { areShortcutsOn, setShortcutsOn } from '../../lib/shortcutSetting.ts';
import { useOffline } from '../../lib/useOffline.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { explain } from '../../ui/explain.ts';
import { PercentMoved } from '../../ui/Figures.tsx';
import { Choice } from '../../ui/fields/Choice.tsx';
import { TickField } from '../../ui/fields/TickField.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { confirm, toast } from '../../ui/toasts.tsx';
import { UpChoice } from '../../ui/UpChoice.tsx';
import { Links } from './Links.tsx';
import { refetchAll } from './refetchAll.ts';
import { useChoose } from './useChoose.ts';

/**
 * Sets the language and the colour of rising prices, and clears the data of this device.
 */
export function GeneralScreen() {
  const { t, choices } = usePreferences();
  const choose = useChoose();
  const [shortcuts, setShortcuts] = useState(areShortcutsOn);
  return (
    <Screen title={t('general.title')} back="/setting-index/">
      <div className="settings">
        <section className="card form-card">
          <Choice<NonNullable<DisplayChoices['language']> | typeof DEVICE>
            label={t('settings.language')}
            value={choices.language ?? DEVICE}
            choices={[
              { value: DEVICE, title: t('settings.device') },
              { value: 'zh-CN', title: '简体中文' },
              { value: 'en', title: 'English' },
            ]}
            onChange={(language) => choose({ language: orDevice(language) })}
          />
          <UpChoice />
          <p className="settings-example">
            <PercentMoved value={2.35} />
            <PercentMoved value={-1.08} />
          </p>
          <div className="settings-wide">
            <TickField
              label={t('general.shortcuts')}
              hint={t('general.shortcutsHint')}
              checked={shortcuts}
              onChange={(on) => {
                setShortcutsOn(on);
                setShortcuts(areShortcutsOn());
              }}
            />
          </div>
          <Links of={[{ href: '/setting-theme/', title: t('theme.title') }]} />
        </section>
        <DeviceData />
      </div>
    </Screen>
  );
}

/** Clears the data that this device stores. */
function DeviceData() {
  const { t } = usePreferences();
  const queries = useQueryClient();
  const isMember = useSession().state === 'member';
  const offline = useOffline();
  const clear = useMutation({
    async mutationFn() {
      await clearCaches();
      await refetchAll(queries);
    },
    onSuccess: () => toast(t('general.cacheCleared')),
    onError: (error) => toast(explain(error, t), 'problem'),
  });
  const clearAll = useMutation({
    async mutationFn() {
      // The sign-out comes first: if it fails, the session would outlive the deleted data.
      if (isMember) await send(accountMethods.logout, {});
      await clearDevice();
    },
    onSuccess: () => location.replace('/'),
    onError: (error) => toast(explain(error, t), 'problem'),
  });

  async function askToClearAll() {
    const agreed = await confirm({
      title: t('general.clearAllTitle'),
      text: t(isMember ? 'general.clearAllMember' : 'general.clearAllText'),
      confirm: t('general.clearAll'),
      danger: true,
    });
    if (agreed) clearAll.mutate();
  }

  return (
    <section className="card form-card" aria-labelledby="general-data">
      <h2 id="general-data">{t('general.data')}</h2>
      <p className="panel-text">{t('general.dataText')}</p>
      <div className="settings-buttons">
        <ActButton icon="refresh" busy={clear.isPending} onClick={() => clear.mutate()}>
          {t('general.clearCache')}
        </ActButton>
        <Button
          kind="danger"
          icon="trash"
          // The sign-out request would fail.
          disabled={isMember && offline}
          busy={clearAll.isPending}
          onClick={() => void askToClearAll()}
        >
          {t('general.clearAll')}
        </Button>
      </div>
    </section>
  );
}
