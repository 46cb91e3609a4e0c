import type { Language } from '@heron/contract/http/errors.ts';

/** A chat that belongs to a user, with what it may command. */
export interface CommandingChat {
  /** Identifies the chat, without revealing it. */
  readonly chat: string;
  readonly userId: number;
  readonly language: Language;
  /** `read` shows bots and results; `stop` also stops bots and uses the kill switch, after a confirmation. */
  readonly right: 'read' | 'stop';
}

/** Carries out the commands of chats. */
export interface ChatCommands {
  /** Returns the reply to a message of a chat; null when it is ignored. */
  answer(of: CommandingChat, text: string): Promise<string | null>;
}
