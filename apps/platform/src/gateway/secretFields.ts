/**
 * Names of fields that contain secrets. They are redacted in logs and rejected in addresses. `code` is missing, because
 * it also names error codes, and older clients send it in addresses.
 */
export const SECRET_FIELDS: readonly string[] = [
  'token',
  'password',
  'old_password',
  'new_password',
  'setup_token',
  'ticket',
  'basepass',
  'sessionkey',
  'identity_token',
  'email_code',
  'mobile_code',
  'sms_captcha',
  'app_code',
  'recovery_code',
  'recovery_codes',
  'secret',
  'notify_code',
  'pairing_code',
  'webhook_url',
  'proxy_url',
  'subscription',
];
