import './notifications.css';
import { NOTIFICATION_KINDS } from '@heron/contract/bots/notifications.ts';
import { hostOf } from '@heron/contract/bots/pairedHosts.ts';
import { CHAT_RIGHTS, type NotifyChannel, notifyMethods } from '@heron/contract/notify/notifyMethods.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { botsQuery } from '../../entities/bot/queries.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { proven } from '../../lib/proof.ts';
import { unsubscribePush } from '../../lib/push.ts';
import { send } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { FieldGroup } from '../../ui/fields/FieldGroup.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { TickField } from '../../ui/fields/TickField.tsx';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Problem, Skeleton } from '../../ui/states.tsx';
import { confirm, toast } from '../../ui/toasts.tsx';
import { ChatProof, type ChatStart, startChat } from './ChatProof.tsx';
import { PushOffer } from './PushOffer.tsx';
import { CHANNELS_KEY, useNotificationChange } from './useNotificationChange.ts';

/** Refetch interval while a chat is not yet proven, ms. */
const LOOK_AGAIN_MS = 3_000;

/** Edits the notification channels of a member. */
export function NotificationSettingsScreen() {
  const { t } = usePreferences();
  const { data, error, refetch } = useQuery({
    queryKey: CHANNELS_KEY,
    queryFn: () => send(notifyMethods.listChannels, {}),
    staleTime: 0,
    // The proof happens in the chat, and no push reports it.
    refetchInterval: ({ state }) =>
      state.data?.channels.some(({ kind, proven }) => kind === 'telegram' && !proven) ? LOOK_AGAIN_MS : false,
  });
  const [secret, setSecret] = useState<string | null>(null);
  const [chat, setChat] = useState<ChatStart | null>(null);
  return (
    <Screen title={t('notify.title')} back="/notify-index/" onRefresh={refetch}>
      <div className="notifications-page notify-cards">
        <p className="notify-text">{t('notify.intro')}</p>
        {secret !== null && (
          <section className="card form-card" aria-labelledby="notify-secret">
            <h2 id="notify-secret">{t('notify.secretTitle')}</h2>
            <p className="notify-text">{t('notify.secretText')}</p>
            <code className="notify-secret" data-testid="webhook-secret">
              {secret}
            </code>
          </section>
        )}
        {data ? (
          <>
            {data.channels.map((channel) => (
              <ChannelCard
                key={channel.id}
                channel={channel}
                mails={data.sendsEmail}
                chatProof={<ChatProof start={chat} onStart={setChat} />}
              />
            ))}
            <AddCard given={data} onSecret={setSecret} onChat={setChat} />
          </>
        ) : error ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton rows={2} height={160} />
        )}
      </div>
    </Screen>
  );
}

type Ways = Awaited<ReturnType<typeof send<typeof notifyMethods.listChannels>>>;

function ChannelCard({ channel, mails, chatProof }: { channel: NotifyChannel; mails: boolean; chatProof: ReactNode }) {
  const { t, format } = usePreferences();
  const change = useNotificationChange();
  const { id, kind, target, proven: isProven, failingSince, failureReason, disabledSince } = channel;
  const enable = () => change.mutate(() => proven(() => send(notifyMethods.enableChannel, { id })));

  async function remove() {
    const agreed = await confirm({
      title: t('notify.removeTitle'),
      text: t('notify.removeText', { target: target || t(`notify.${kind}`) }),
      confirm: t('notify.remove'),
      danger: true,
    });
    if (!agreed) return;
    change.mutate(async () => {
      await send(notifyMethods.removeChannel, { id });
      if (channel.thisDevice) await unsubscribePush();
    });
  }

  async function test() {
    await send(notifyMethods.testChannel, { id });
    toast(t('notify.tested'));
  }

  return (
    <section className="card form-card" aria-labelledby={`notify-${id}`} data-testid="notify-channel">
      <h2 id={`notify-${id}`}>
        {t(`notify.${kind}`)} <span className="notify-target">{target}</span>
        {channel.thisDevice && <span className="tag notification-good">{t('notify.thisDevice')}</span>}
      </h2>
      {disabledSince !== null && (
        <p className="callout callout-warning" role="status">
          {t('notify.disabled', { since: format.dateTime(disabledSince * 1_000) })}
        </p>
      )}
      {failingSince !== null && (
        <p className="callout" role="status">
          {t(failureReason === 'gone' ? 'notify.gone' : 'notify.failing', {
            since: format.dateTime(failingSince * 1_000),
          })}
          {failureReason === 'blocked' && ` ${t('notify.blocked')}`}
        </p>
      )}
      {kind === 'email' && !mails && <p className="notify-text">{t('notify.outbox')}</p>}
      {isProven ? <Kinds of={channel} /> : kind === 'telegram' ? chatProof : <Proof id={id} />}
      {kind === 'push' && (
        <TickField
          label={t('notify.amounts')}
          hint={t('notify.amountsHint')}
          checked={channel.amounts}
          onChange={(amounts) => change.mutate(() => send(notifyMethods.setAmounts, { id, amounts }))}
        />
      )}
      {kind === 'telegram' && isProven && <Commands of={channel} />}
      <div className="notify-actions">
        {disabledSince !== null && (
          <ActButton kind="primary" busy={change.isPending} onClick={enable}>
            {t('notify.enable')}
          </ActButton>
        )}
        {isProven && disabledSince === null && (
          <ActButton busy={change.isPending} onClick={() => change.mutate(test)}>
            {t('notify.test')}
          </ActButton>
        )}
        <ActButton onClick={() => void remove()}>{t('notify.remove')}</ActButton>
      </div>
    </section>
  );
}

/** Names and explains what a Telegram chat may command. */
const RIGHTS = {
  none: { title: 'notify.commands_none', hint: 'notify.commandsHint_none' },
  read: { title: 'notify.commands_read', hint: 'notify.commandsHint_read' },
  stop: { title: 'notify.commands_stop', hint: 'notify.commandsHint_stop' },
} as const satisfies Record<(typeof CHAT_RIGHTS)[number], object>;

/** Chooses what a Telegram chat may command. More than before needs a fresh proof. */
function Commands({ of: { id, commands } }: { of: NotifyChannel }) {
  const { t } = usePreferences();
  const change = useNotificationChange();
  return (
    <SelectField
      label={t('notify.commands')}
      hint={t(RIGHTS[commands].hint)}
      value={commands}
      disabled={change.isPending}
      choices={CHAT_RIGHTS.map((value) => ({ value, title: t(RIGHTS[value].title) }))}
      onChange={(value) => {
        const wanted = CHAT_RIGHTS.find((right) => right === value) ?? 'none';
        change.mutate(() => proven(() => send(notifyMethods.setCommands, { id, commands: wanted })));
      }}
    />
  );
}

function Proof({ id }: { id: string }) {
  const { t } = usePreferences();
  const [code, setCode] = useState('');
  const prove = useNotificationChange();
  const again = useNotificationChange();
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        prove.mutate(() => send(notifyMethods.proveChannel, { id, notifyCode: code }));
      }}
    >
      <p className="notify-text">{t('notify.unproven')}</p>
      <TextField
        label={t('notify.code')}
        value={code}
        inputMode="numeric"
        autoComplete="one-time-code"
        onChange={setCode}
      />
      <div className="notify-actions">
        <ActButton kind="primary" type="submit" busy={prove.isPending} disabled={code.trim() === ''}>
          {t('notify.confirm')}
        </ActButton>
        <ActButton busy={again.isPending} onClick={() => again.mutate(() => send(notifyMethods.testChannel, { id }))}>
          {t('notify.newCode')}
        </ActButton>
      </div>
    </form>
  );
}

const ALL = '';

/** Chooses the kinds of notifications that a channel gets, for all bots or for one. */
function Kinds({ of: { id, kinds, bots } }: { of: NotifyChannel }) {
  const { t } = usePreferences();
  const { data } = useQuery(botsQuery());
  const change = useNotificationChange(id);
  const [bot, setBot] = useState(ALL);
  /** The last choice, until the server has saved it. */
  const [picked, setPicked] = useState<{ bot: string; kinds: NotifyChannel['kinds'] } | null>(null);
  const stored = bot === ALL ? kinds : bots.find((choice) => choice.bot === bot)?.kinds;
  const own = picked?.bot === bot ? picked.kinds : stored;
  const choose = (chosen: NotifyChannel['kinds'] | null) => {
    const pick = chosen && { bot, kinds: chosen };
    setPicked(pick);
    change.mutate(() => send(notifyMethods.setKinds, { id, bot: bot === ALL ? null : bot, kinds: chosen }), {
      onSettled: () => setPicked((now) => (now === pick ? null : now)),
    });
  };
  return (
    <>
      <SelectField
        label={t('notify.of')}
        value={bot}
        choices={[
          { value: ALL, title: t('notify.allBots') },
          ...(data?.bots ?? []).map((each) => {
            const host = data?.hosts?.find(({ id }) => id === hostOf(each.id));
            return { value: each.id, title: host === undefined ? each.name : `${each.name} · ${host.name}` };
          }),
        ]}
        onChange={setBot}
      />
      {own === undefined ? (
        <>
          <p className="notify-text">{t('notify.asAll')}</p>
          <div className="notify-actions">
            <ActButton busy={change.isPending} onClick={() => choose(kinds)}>
              {t('notify.chooseOwn')}
            </ActButton>
          </div>
        </>
      ) : (
        <>
          <FieldGroup label={t('notify.kinds')} className="notify-kinds">
            {NOTIFICATION_KINDS.map((kind) => (
              <TickField
                key={kind}
                label={t(`notificationKind.${kind}`)}
                checked={own.includes(kind)}
                onChange={(wanted) => choose(wanted ? [...own, kind] : own.filter((each) => each !== kind))}
              />
            ))}
          </FieldGroup>
          {bot !== ALL && (
            <div className="notify-actions">
              <ActButton busy={change.isPending} onClick={() => choose(null)}>
                {t('notify.asAllAgain')}
              </ActButton>
            </div>
          )}
        </>
      )}
    </>
  );
}

function AddCard({
  given,
  onSecret,
  onChat,
}: {
  given: Ways;
  onSecret: (secret: string | null) => void;
  onChat: (start: ChatStart | null) => void;
}) {
  const { t } = usePreferences();
  const [url, setUrl] = useState('');
  const mail = useNotificationChange();
  const chat = useNotificationChange();
  const hook = useNotificationChange();
  const has = (which: (channel: NotifyChannel) => boolean) => given.channels.some(which);

  async function addHook() {
    const { secret } = await proven(() => send(notifyMethods.addChannel, { kind: 'webhook', webhookUrl: url }));
    setUrl('');
    onSecret(secret);
  }

  return (
    <section className="card form-card" aria-labelledby="notify-add">
      <h2 id="notify-add">{t('notify.add')}</h2>
      {!has(({ thisDevice }) => thisDevice) && <PushOffer pushKey={given.pushKey} />}
      {given.hasTelegram && !has(({ kind, proven }) => kind === 'telegram' && !proven) && (
        <div className="notify-actions">
          <ActButton busy={chat.isPending} onClick={() => chat.mutate(async () => onChat(await startChat()))}>
            {t('notify.addTelegram')}
          </ActButton>
        </div>
      )}
      {!has(({ kind }) => kind === 'email') &&
        (given.hasEmail ? (
          <div className="notify-actions">
            <ActButton
              busy={mail.isPending}
              onClick={() => mail.mutate(() => send(notifyMethods.addChannel, { kind: 'email' }))}
            >
              {t('notify.addEmail')}
            </ActButton>
          </div>
        ) : (
          <>
            <p className="notify-text">{t('notify.noEmail')}</p>
            <div className="notify-actions">
              <Link className="btn btn-plain" href="/user-contact/">
                {t('notify.toContact')}
              </Link>
            </div>
          </>
        ))}
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          hook.mutate(addHook);
        }}
      >
        <TextField
          label={t('notify.url')}
          hint={t('notify.urlHint')}
          value={url}
          type="url"
          inputMode="url"
          autoComplete="off"
          onChange={setUrl}
        />
        <div className="notify-actions">
          <ActButton type="submit" busy={hook.isPending} disabled={url.trim() === ''}>
            {t('notify.addWebhook')}
          </ActButton>
        </div>
      </form>
    </section>
  );
}
