import type { AuditEntry } from '@heron/contract/accounts/peopleMethods.ts';
import { roleOf } from '@heron/contract/accounts/roles.ts';
import { type InstallationSettings, OLD_SETTING_NAMES } from '@heron/contract/accounts/settingMethods.ts';
import type { TokenScope } from '@heron/contract/bots/tokenScopes.ts';
import type { Preferences } from '../../../lib/preferences.ts';
import type { KeyUnder } from '../../../locales/texts.ts';

type Locale = Pick<Preferences, 't'>;

const ACTS: Readonly<Record<KeyUnder<'audited'>, true>> = {
  'administrator.create': true,
  'contact.change': true,
  'device.forget': true,
  'device.theft': true,
  'identity.link': true,
  'identity.unlink': true,
  'outbox.read': true,
  'password.change': true,
  'password.reset': true,
  'proxy.change': true,
  'second-factor.add': true,
  'second-factor.codes': true,
  'second-factor.recovery': true,
  'second-factor.remove': true,
  'sessions.end': true,
  'settings.change': true,
  'token.create': true,
  'token.enable': true,
  'token.revoke': true,
  'user.delete': true,
  'user.erase': true,
  'user.restore': true,
  'user.role': true,
};

const KINDS: Readonly<Record<KeyUnder<'auditedKind'>, true>> = {
  all: true,
  apple: true,
  email: true,
  passkey: true,
  phone: true,
  totp: true,
  wechat: true,
};

const SCOPES: Readonly<Record<TokenScope, true>> = { read: true, trade: true, manage: true };

const has = <Name extends string>(names: Readonly<Record<Name, true>>, name: unknown): name is Name =>
  typeof name === 'string' && Object.hasOwn(names, name);

/** Settings by their names in the details of audit entries. */
const SETTINGS: ReadonlyMap<string, keyof InstallationSettings> = new Map(
  // By its type, OLD_SETTING_NAMES has these names only.
  Object.entries(OLD_SETTING_NAMES).map(([name, audited]) => [audited, name as keyof InstallationSettings]),
);

/** Returns the label of an audited action. An action that only a newer server knows is returned by its name. */
export function auditedAct(action: string, { t }: Locale): string {
  return has(ACTS, action) ? t(`audited.${action}`) : action;
}

/**
 * Returns the details of an audited action beside its actor, target and time. Roles are stored as groups, before and
 * after.
 */
export function auditedDetails(details: AuditEntry['details'], { t }: Locale): string[] {
  const { from, to, own, others, bots, kind: given, provider, scopes, ...rest } = details;
  const kind = given ?? provider;
  const group = (value: unknown) => t(`role.${roleOf(typeof value === 'number' ? value : null)}`);
  return [
    ...(from === undefined && to === undefined ? [] : [t('audit.roles', { from: group(from), to: group(to) })]),
    ...(own === true ? [t('audit.own')] : []),
    ...(others === true ? [t('audit.others')] : []),
    ...(bots === true ? [t('audit.bots')] : []),
    ...(kind === undefined || kind === null ? [] : [has(KINDS, kind) ? t(`auditedKind.${kind}`) : String(kind)]),
    ...(typeof scopes === 'string' ? [t('audit.scopes', { scopes: scopeTitles(scopes, { t }) })] : []),
    ...Object.entries(rest)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => {
        const setting = SETTINGS.get(name);
        return setting === undefined ? `${name}: ${value}` : settingDetail(setting, value, { t });
      }),
  ];
}

function settingDetail(name: keyof InstallationSettings, value: unknown, { t }: Locale): string {
  const text = typeof value === 'boolean' ? t(value ? 'audit.on' : 'audit.off') : String(value);
  return t('audit.setting', { name: t(`installation.${name}`), value: text });
}

/** Returns the titles of the scopes of an API token. Scopes are stored with spaces between them. */
function scopeTitles(scopes: string, { t }: Locale): string {
  const titles = scopes.split(' ').map((name) => (has(SCOPES, name) ? t(`tokenScope.${name}`) : name));
  return titles.join(t('journal.and'));
}
