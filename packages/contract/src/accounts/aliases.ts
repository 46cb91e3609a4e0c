import { type Alias, defineAlias, defineResource } from '../http/alias.ts';
import { accountMethods } from './methods.ts';

const { login, logout, usernameRegister, memberInfo, updateMemberInformation, authentication } = accountMethods;

/**
 * Named actions. `is_applet` says nothing that is needed here and is ignored, as every unknown field.
 *
 * @see accounts.md 7, "Named actions (first form)"
 */
const actions: readonly Alias[] = [
  defineAlias('POST', '/action/LOGIN', login),
  defineAlias('POST', '/action/LOGOUT', logout),
  defineAlias('POST', '/action/GET_MEMBER_INFO', memberInfo),
  defineAlias('POST', '/action/EDIT_USER', updateMemberInformation),
  defineAlias('POST', '/action/USERNAME_REGISTER', usernameRegister),
];

/** Every address of accounts beside the generic send. @see trading.md 7, "Generic request clients" */
export const accountAliases: readonly Alias[] = [
  ...actions,
  defineAlias('POST', '/user', login),
  ...defineResource('authentication', { list: authentication }),
];
