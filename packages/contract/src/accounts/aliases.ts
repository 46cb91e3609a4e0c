import { type Alias, defineAlias, defineResource } from '../http/alias.ts';
import { accountMethods as methods } from './methods.ts';

/** Older clients send the code as `send_param` when they check it. */
const SENT_EMAIL = { send_email: 'email', send_param: 'code' } as const;
const SENT_MOBILE = { send_mobile: 'mobile', send_param: 'code' } as const;

/**
 * Named actions. `is_applet` and `get_member_info` are ignored, as every unknown field. A code to a phone from
 * `GET_TEL_CODE` is valid for `TEL_REGISTER` and for `FAST_LOGIN`.
 */
const actions: readonly Alias[] = [
  defineAlias('POST', '/action/LOGIN', methods.login),
  defineAlias('POST', '/action/LOGOUT', methods.logout),
  defineAlias('POST', '/action/GET_MEMBER_INFO', methods.memberInfo),
  defineAlias('POST', '/action/GET_TEL_CODE', methods.sendRegisterMobileCode),
  defineAlias('POST', '/action/CHECK_TEL_CODE', methods.checkRegisterMobileCode, { fields: SENT_MOBILE }),
  defineAlias('POST', '/action/FAST_LOGIN', methods.mobileLogin),
  defineAlias('POST', '/action/GET_MAIL_CODE', methods.sendRegisterEmailCode),
  defineAlias('POST', '/action/CHECK_MAIL_CODE', methods.checkRegisterEmailCode, { fields: SENT_EMAIL }),
  defineAlias('POST', '/action/EMAIL_REGISTER', methods.emailRegister),
  defineAlias('POST', '/action/TEL_REGISTER', methods.mobileRegister),
  defineAlias('POST', '/action/USERNAME_REGISTER', methods.usernameRegister),
  defineAlias('POST', '/action/FIND_PASSWORD', methods.findPassword),
  defineAlias('POST', '/action/SEND_FIND_PASSWORD_CODE', methods.sendFindPasswordCode),
  defineAlias('POST', '/action/CHECK_FIND_PASSWORD_CODE', methods.checkFindPasswordCode),
  defineAlias('POST', '/action/PASSWORD_RESET', methods.passwordReset),
  defineAlias('POST', '/action/MODIFY_PASSWORD', methods.modifyPassword),
  defineAlias('POST', '/action/EDIT_USER', methods.updateMemberInformation),
];

/** All addresses of account methods besides the generic send. */
export const accountAliases: readonly Alias[] = [
  ...actions,
  defineAlias('POST', '/user', methods.login),
  defineAlias('GET', '/jsms/examples/send_code.php', methods.sendRegisterMobileCode),
  defineAlias('GET', '/jsms/examples/check_code.php', methods.checkRegisterMobileCode),
  defineAlias('GET', '/catalog/wxmobile', methods.wechatLogin, { onlyWith: 'code' }),
  defineAlias('GET', '/catalog/wxmobile', methods.wechatState),
  ...defineResource('authentication', { list: methods.authentication }),
];
