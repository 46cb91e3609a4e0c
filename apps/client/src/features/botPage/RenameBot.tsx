import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { visibleName } from '@heron/contract/bots/visibleName.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { runBotCommand } from '../../entities/bot/pushes.ts';
import { botsQuery } from '../../entities/bot/queries.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { ask } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { explain } from '../../ui/explain.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Overlay } from '../../ui/Overlay.tsx';

/** Opens the dialog that gives a bot another name. */
export function RenameBot({ bot }: { bot: BotDetail }) {
  const { t } = usePreferences();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('rename.do')}</Button>
      {open && <RenameDialog bot={bot} onClose={() => setOpen(false)} />}
    </>
  );
}

function RenameDialog({ bot, onClose }: { bot: BotDetail; onClose: () => void }) {
  const { t } = usePreferences();
  const queries = useQueryClient();
  const [name, setName] = useState(bot.name);
  const [fault, setFault] = useState<string | null>(null);
  const rename = useMutation({
    mutationFn: (body: { name: string }) =>
      runBotCommand(queries, () => ask(botCalls.rename, { params: { id: bot.id }, body })),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: botsQuery().queryKey });
      onClose();
    },
    onError: (error) => setFault(explain(error, t)),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    const checked = visibleName.safeParse(name);
    if (!checked.success) return setFault(t(name.trim() === '' ? 'add.nameMissing' : 'rename.invalid'));
    if (checked.data === bot.name) return onClose();
    rename.mutate({ name: checked.data });
  }

  return (
    <Overlay title={t('rename.title', { name: bot.name })} onClose={onClose}>
      <form className="order-form" noValidate onSubmit={submit}>
        <TextField
          label={t('add.name')}
          autoComplete="off"
          maxLength={40}
          autoFocus
          value={name}
          fault={fault}
          onChange={(value) => {
            setName(value);
            setFault(null);
          }}
        />
        <div className="overlay-actions">
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <ActButton kind="primary" type="submit" busy={rename.isPending}>
            {t('rename.save')}
          </ActButton>
        </div>
      </form>
    </Overlay>
  );
}
