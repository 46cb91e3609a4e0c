import { CODE_LENGTH, CODE_RESEND_SECONDS, type CodeSent } from '@heron/contract/accounts/code.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { ApiError, NoAnswer } from '../../../lib/api.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { explainSignIn } from '../explainSignIn.ts';
import { faultField } from '../faultField.ts';
import { type CodePurpose, useCountdown } from './countdown.ts';
import { codeDigits } from './digits.ts';

/** Holds the typed code and the result of its check. */
export interface TypedCode {
  readonly digits: string;
  readonly is: 'unchecked' | 'right' | 'wrong';
}

/** Checks after a reconnection: the first requests can fail before the network works again. */
const CHECKS = 5;
const CHECK_AGAIN_MS = 1_000;

export const NO_CODE: TypedCode = { digits: '', is: 'unchecked' };

interface CodeFieldProps {
  readonly purpose: CodePurpose;
  /** The code is sent to this target; null while it is not valid. */
  readonly target: string | null;
  /** Shows the error of the target; called when the target is null. */
  readonly onNoTarget: () => void;
  /** Requests a code for the target. */
  readonly request: (target: string) => Promise<CodeSent>;
  /** Rejects when the code is wrong. It is absent where the server checks the code only with the submitted form. */
  readonly check?: (target: string, digits: string) => Promise<unknown>;
  readonly code: TypedCode;
  readonly onCode: (code: TypedCode) => void;
  readonly fault?: string | null;
}

/**
 * Renders a field for a six-digit code with the button that sends it. The button is disabled for 120 s after a success.
 * Six digits are checked automatically.
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
      // The button is now disabled and would lose the focus.
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
  // Without a response the code may be right, so it stays as typed.
  const isUnknown = checking.isError && !isWrong;

  /** Automatic checks that are left since the device was offline. */
  const checksLeft = useRef(0);

  function ask(digits: string) {
    if (target === null) return;
    // The callbacks run only while these digits of this target are on screen.
    checking.mutate(
      { target, digits },
      {
        onSuccess: () => onCode({ digits, is: 'right' }),
        onError(error) {
          if (!navigator.onLine) checksLeft.current = CHECKS;
          if (faultField(error, { code: true })) onCode({ digits, is: 'wrong' });
        },
      },
    );
  }

  const { error } = checking;
  const askAgain = useEffectEvent(() => {
    checksLeft.current -= 1;
    // The button to check again is removed meanwhile.
    if (place.current?.querySelector('.code-unknown')?.contains(document.activeElement)) focusCode();
    ask(code.digits);
  });
  useEffect(() => {
    if (!isUnknown) return;
    const again = () => askAgain();
    addEventListener('online', again);
    const mayWork = navigator.onLine && error instanceof NoAnswer;
    const timer = mayWork && checksLeft.current > 0 ? setTimeout(again, CHECK_AGAIN_MS) : undefined;
    return () => {
      removeEventListener('online', again);
      clearTimeout(timer);
    };
  }, [isUnknown, error]);

  function type(text: string) {
    const digits = codeDigits(text);
    if (digits === code.digits) return;
    checking.reset();
    checksLeft.current = 0;
    if (sending.isError) sending.reset();
    onCode({ digits, is: 'unchecked' });
    if (check && digits.length === CODE_LENGTH) ask(digits);
  }

  const isRight = code.is === 'right' && check !== undefined;
  const problem = explainSignIn(sending.error ?? (isWrong ? checking.error : null), t);
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
      {/* The element exists before it has content; otherwise screen readers would not announce the change. */}
      <p className="field-note code-right" role="status">
        {isRight && t('code.right')}
      </p>
      {isUnknown && (
        <div className="callout callout-problem code-unknown" role="alert">
          <p>{explain(checking.error, t)}</p>
          <Button
            onClick={() => {
              // The button is removed while the check is pending, so the focus moves to the field.
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
