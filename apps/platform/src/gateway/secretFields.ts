/**
 * Names under which methods are sent secrets or answer them: none of them stands in a log, and none is taken from an address,
 * which histories and proxies keep. Codes that are called `code` are missing, which is the name of errors too, and which older
 * clients send in addresses.
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
