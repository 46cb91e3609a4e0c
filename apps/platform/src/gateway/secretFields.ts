import { oldFieldName } from '@heron/contract/http/oldFieldNames.ts';

const SECRETS = [
  'token',
  'password',
  'oldPassword',
  'newPassword',
  'setupToken',
  'ticket',
  'basepass',
  'sessionkey',
  'identityToken',
  'emailCode',
  'mobileCode',
  'smsCaptcha',
  'appCode',
  'recoveryCode',
  'recoveryCodes',
  'secret',
  'notifyCode',
  'pairingCode',
  'webhookUrl',
  'proxyUrl',
  'subscription',
];

/**
 * Names of fields that contain secrets, with their names for older clients. They are redacted in logs and rejected in
 * addresses. `code` is missing, because it also names error codes, and older clients send it in addresses.
 */
export const SECRET_FIELDS: readonly string[] = [...new Set(SECRETS.flatMap((name) => [name, oldFieldName(name)]))];
