/** Names under which older clients call the methods. */
const NAMED = [
  ...['System.Login.login', 'System.Login.logout', 'System.Login.wechatLogin', 'System.Login.snsLogin'],
  ...['System.Login.mobileLogin', 'System.Register.sendRegisterEmailCode', 'System.Register.sendRegisterMobileCode'],
  ...['System.Register.CheckRegisterEmailCode', 'System.Register.checkRegisterMobileCode'],
  ...['System.Register.emailRegister', 'System.Register.mobileRegister', 'System.Register.usernameRegister'],
  ...['System.Password.findPassword', 'System.Password.sendFindPasswordCode'],
  ...['System.Password.checkFindPasswordCode', 'System.Password.passwordReset'],
  ...['System.Member.memberInfo', 'System.Member.memberList', 'System.Member.modifyPassword'],
  'System.Member.updateMemberInformation',
] as const;

const OWN_PREFIX = /^System\.(Register|Password)\./;

/**
 * Maps method names of older clients to the current names. The specification lists the prefix `System.Login.` only once, so
 * that names with and without it are aliases.
 */
export const METHOD_ALIASES: ReadonlyMap<string, string> = new Map(
  NAMED.flatMap((name) => {
    const bare = name.slice(name.lastIndexOf('.') + 1);
    const prefixed = OWN_PREFIX.test(name) ? [`System.Login.${bare}`] : [];
    return [bare, ...prefixed].map((alias): [string, string] => [alias, name]);
  }),
);
