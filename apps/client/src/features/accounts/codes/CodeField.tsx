import { CODE_LENGTH, CODE_RESEND_SECONDS, type CodeSent } from '@heron/contract/accounts/code.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { ApiError } from '../../../lib/api.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { explainEntry } from '../explainEntry.ts';
import { faultField } from '../faultField.ts';
import { type CodePurpose, useCountdown } from './countdown.ts';
import { codeDigits } from './digits.ts';

/** The typed code and the server's answer to it. */
export interface TypedCode {
  readonly digits: string;
  readonly is: 'unchecked' | 'right' | 'wrong';
}

export const NO_CODE: TypedCode = { digits: '', is: 'unchecked' };

interface CodeFieldProps {
  readonly purpose: CodePurpose;
  /** Where the code goes to; null while it is not valid. */
  readonly target: string | null;
  /** Says what is wrong with the target: asked when it is null. */
  readonly onNoTarget: () => void;
  /** Has a code sent to the target. */
  readonly request: (target: string) => Promise<CodeSent>;
  /** Rejects when the code is wrong. Absent where the server checks only what is submitted. */
  readonly check?: (target: string, digits: string) => Promise<unknown>;
  readonly code: TypedCode;
  readonly onCode: (code: TypedCode) => void;
  readonly fault?: string | null;
}

/**
 * A code of six digits with the button that has it sent. The button rests for 120 s after a success; six digits are checked
 * by themselves. @see accounts.md 4
 */
export function CodeField(props: CodeFieldProps) {
  // A response for another target must not count for this one.
  return <CodeOf key={props.target} {...props} />;
}

function CodeOf({ purpose, target, onNoTarget, request, check, code, onCode, fault }: CodeFieldProps) {
  const { t } = usePreferences();
  const [left, countDown] = useCountdown(purpose, target);
  const place = useRef<HTMLDivElement>(null);
  const focusCode = () => place.current?.querySelector('input')?.focus();
  const sending = useMutation({
    mutationFn: request,
    onSuccess({ seconds, sent }) {
      countDown(seconds);
      if (sent) toast(t('code.sent'));
      // The button rests now, and would lose it.
      if (place.current?.contains(document.activeElement)) focusCode();
    },
    onError(error) {
      const seconds = error instanceof ApiError ? Number(error.details.seconds ?? 0) : 0;
      countDown(seconds <= CODE_RESEND_SECONDS ? seconds : 0);
    },
  });
  const checking = useMutation({
    mutationFn: ({ target, digits }: { target: string; digits: string }) =>
      check ? check(target, digits) : Promise.resolve(),
  });
  const isWrong = faultField(checking.error, { code: true }) === true;
  // Without an answer nothing is known of the code: it stays as typed.
  const isUnknown = checking.isError && !isWrong;

  function ask(digits: string) {
    if (target === null) return;
    // Heard only while these digits of this target are on screen.
    checking.mutate(
      { target, digits },
      {
        onSuccess: () => onCode({ digits, is: 'right' }),
        onError: (error) => faultField(error, { code: true }) && onCode({ digits, is: 'wrong' }),
      },
    );
  }

  const askAgain = useEffectEvent(() => ask(code.digits));
  useEffect(() => {
    if (!isUnknown) return;
    const again = () => askAgain();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [isUnknown]);

  function type(text: string) {
    const digits = codeDigits(text);
    if (digits === code.digits) return;
    checking.reset();
    if (sending.isError) sending.reset();
    onCode({ digits, is: 'unchecked' });
    if (check && digits.length === CODE_LENGTH) ask(digits);
  }

  const isRight = code.is === 'right' && check !== undefined;
  const problem = explainEntry(sending.error ?? (isWrong ? checking.error : null), t);
  return (
    <div ref={place} className="code-field">
      <TextField
        label={t('code.label')}
        name="one-time-code"
        autoComplete="one-time-code"
        inputMode="numeric"
        value={code.digits}
        hint={isRight ? undefined : t(sending.data?.sent === false ? 'code.kept' : 'code.hint')}
        fault={fault ?? problem}
        onChange={type}
      />
      {/* There before anything is said in it, or screen readers would not hear it. */}
      <p className="field-note code-right" role="status">
        {isRight && t('code.right')}
      </p>
      {isUnknown && (
        <div className="notice notice-problem code-unknown" role="alert">
          <p>{explain(checking.error, t)}</p>
          <Button
            onClick={() => {
              // The button goes away while the answer is waited for.
              focusCode();
              ask(code.digits);
            }}
          >
            {t('code.checkAgain')}
          </Button>
        </div>
      )}
      <Button
        className="code-send"
        busy={sending.isPending}
        disabled={left > 0}
        onClick={() => (target === null ? onNoTarget() : sending.mutate(target))}
      >
        {left > 0 ? t('code.again', { seconds: left }) : t(sending.isSuccess ? 'code.resend' : 'code.send')}
      </Button>
    </div>
  );
}
