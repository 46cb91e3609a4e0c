import { notifyMethods } from '@heron/contract/notify/notifyMethods.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { proven } from '../../lib/proof.ts';
import { send } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { useNotificationChange } from './useNotificationChange.ts';

/** Holds the message and the link by which a member proves that a chat is theirs. */
export interface ChatStart {
  readonly startCommand: string;
  readonly link: string | null;
}

/** Adds a chat, or requests a new code for the existing one. */
export async function startChat(): Promise<ChatStart | null> {
  return (await proven(() => send(notifyMethods.addChannel, { kind: 'telegram' }))).telegramStart;
}

/** Links to the chat with the notification bot. The screen detects by polling that the chat was found. */
export function ChatProof({ start, onStart }: { start: ChatStart | null; onStart: (start: ChatStart | null) => void }) {
  const { t } = usePreferences();
  const renew = useNotificationChange();
  return (
    <>
      <p className="notify-text">{t('notify.chatText')}</p>
      {start === null ? (
        <div className="notify-actions">
          <ActButton
            kind="primary"
            busy={renew.isPending}
            onClick={() => renew.mutate(async () => onStart(await startChat()))}
          >
            {t('notify.chatLink')}
          </ActButton>
        </div>
      ) : (
        <>
          {start.link !== null && (
            <div className="notify-actions">
              <a className="btn btn-primary" href={start.link} target="_blank" rel="noreferrer">
                {t('notify.chatOpen')}
              </a>
            </div>
          )}
          <p className="notify-text">{t('notify.chatWrite')}</p>
          <code className="notify-secret" data-testid="chat-code">
            {start.startCommand}
          </code>
        </>
      )}
    </>
  );
}
