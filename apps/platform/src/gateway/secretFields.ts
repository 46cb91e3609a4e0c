/**
 * Names of fields that contain secrets, with their names for older clients. They are redacted in logs and rejected in
 * addresses. `code` is missing, because it also names error codes, and older clients send it in addresses.
 */
export const SECRET_FIELDS: readonly string[] = [
  ...['token', 'sessionkey', 'basepass', 'password', 'ticket', 'secret', 'subscription'],
  ...['oldPassword', 'old_password', 'newPassword', 'new_password'],
  ...['setupToken', 'setup_token', 'identityToken', 'identity_token'],
  ...['emailCode', 'email_code', 'mobileCode', 'mobile_code', 'smsCaptcha', 'sms_captcha', 'appCode', 'app_code'],
  ...['recoveryCode', 'recovery_code', 'recoveryCodes', 'recovery_codes'],
  ...['notifyCode', 'startCommand', 'notify_code', 'pairingCode', 'pairing_code'],
  ...['webhookUrl', 'webhook_url', 'proxyUrl', 'proxy_url'],
];
