import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { optionTexts } from '@heron/contract/locales/optionTexts.ts';
import { TEMPLATE_TEXTS } from '@heron/contract/locales/templateTexts.ts';
import type { Text } from '@heron/contract/locales/text.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { type Apply, type Condition, GROUPS, type Group, type Item } from '@heron/engine/options/item.ts';
import { OPTION_TABLE } from '@heron/engine/options/table.ts';
import { TEMPLATES } from '@heron/engine/options/templates.ts';
import { exchangeOfVenue, VENUES } from '@heron/engine/options/venues.ts';

type Language = keyof Text;

const ITEMS: readonly Item[] = OPTION_TABLE;

/** The page that this script writes. */
export const OPTIONS_PAGE = path.join(import.meta.dirname, '..', 'docs', 'options.md');

const GROUP_TITLES: Record<Group, Text> = {
  exchange: { zh: '交易所', en: 'Exchange' },
  buy: { zh: '买入', en: 'Entries' },
  sell: { zh: '卖出', en: 'Exits' },
  strategy: { zh: '策略', en: 'Strategy' },
  server: { zh: '行情服务', en: 'Price server' },
  advance: { zh: '高级', en: 'Advanced' },
};

const ACTS: Record<Apply, Text> = {
  now: { zh: '立即', en: 'at once' },
  next_entry: { zh: '下次开仓', en: 'on the next entry' },
  next_plan: { zh: '下一个网格或下一轮补仓', en: 'with the next grid or deal' },
  reload: { zh: '重新加载', en: 'by a reload' },
  flat_reload: { zh: '无持仓无挂单时，重新加载', en: 'when flat without orders, by a reload' },
  paper_reset: { zh: '重置模拟账户时', en: 'when the paper account is reset' },
};

const UNITS: Partial<Record<string, Text>> = {
  percent: { zh: '%', en: '%' },
  ms: { zh: '毫秒', en: 'ms' },
  hours: { zh: '小时', en: 'hours' },
  minutes: { zh: '分钟', en: 'minutes' },
  x: { zh: '倍', en: '×' },
};

const HEADS: Record<Language, readonly string[]> = {
  en: ['Option', 'Name', 'What it does', 'Unit', 'Values', 'Default', 'Shown', 'A change acts'],
  zh: ['选项', '名称', '作用', '单位', '取值', '默认值', '显示条件', '修改生效'],
};

const INTRODUCTION: Record<Language, string> = {
  en: `Every option of a bot, in the order of the form. In the app they are fields of a new bot; on the command line
\`--option name=value\`, tables as JSON such as \`--option 'stop_sell=[{"profit":5,"stop":100}]'\`.

A value outside its range is refused with the option's name and range; one off the step but inside the range is accepted.
Options that are left out take their defaults, unknown ones are refused. An option that is not shown keeps its value, is
not checked and not used: a hidden \`leverage\` counts as 1, a hidden \`market\` as \`only_long\`. An empty table is off.`,
  zh: `机器人的全部选项，顺序与表单一致。在应用中它们是新建机器人的字段；在命令行中写作 \`--option 名称=值\`，
表格用 JSON，例如 \`--option 'stop_sell=[{"profit":5,"stop":100}]'\`。

超出范围的值会被拒绝，并说明选项名称和范围；不在步长上但在范围内的值可以使用。未填写的选项取默认值，未知的选项会被拒绝。
未显示的选项保留原值，但不检查、也不使用：隐藏的 \`leverage\` 按 1 计，隐藏的 \`market\` 按 \`only_long\` 计。空表表示关闭。`,
};

const CHECKS: Record<Language, string> = {
  en: `### Refused together

- \`max_buy_size\` above 0 and below \`min_buy_size\`.
- \`keep_lookback_periods\` below the greater of \`min_periods\` and the strategy's warm-up, plus 2.
- Two rows of one table with the same profit.
- An unknown strategy, or a parameter of it out of its range.

### Accepted with a warning

Fees are the fee of the entry by \`order_type\` plus that of the exit: the taker fee for a trailing take-profit, by \`order_type\` for
a fixed take-profit.

- Futures: the nearest stop loss that sells 100 % lies beyond 80 % of \`(1/leverage − maintenance margin rate)\`: the
  liquidation guard acts first.
- \`leverage · fees\` is at least \`profit_callback_start\` times the largest share kept: a trailing take-profit may
  not cover the fees.
- The smallest take-profit is no more than \`leverage · fees\`.
- Futures with \`max_buy_pair_count\` 0 or \`buy_pct\` 100: all margin may be in use at once.
- Futures on cross margin without a stop loss that sells 100 %.`,
  zh: `### 不能同时出现

- \`max_buy_size\` 大于 0 且小于 \`min_buy_size\`。
- \`keep_lookback_periods\` 小于 \`min_periods\` 与策略预热长度中较大者加 2。
- 同一张表中两行的 profit 相同。
- 未知的策略，或策略参数超出范围。

### 可以使用，但会提醒

手续费为按 \`order_type\` 的开仓手续费加上平仓手续费：移动止盈始终为 Taker，固定止盈按 \`order_type\`。

- 合约：最近的、卖出 100% 的止损超出 \`(1/杠杆 − 维持保证金率)\` 的 80%：强平保护会先触发。
- \`杠杆 · 手续费\` 不小于 \`profit_callback_start\` 乘以最大保留比例：移动止盈可能不够付手续费。
- 最小的止盈不大于 \`杠杆 · 手续费\`。
- 合约且 \`max_buy_pair_count\` 为 0 或 \`buy_pct\` 为 100：保证金可能同时全部占用。
- 全仓合约没有卖出 100% 的止损。`,
};

const FORM = {
  en: `The form of the app has no field for options that decide nothing with the chosen strategy, nor for options about the machine (\`sync_trade_time\`,
\`server.poll_scan_time\`, \`poll_scan_time\`, \`poll_broadcast_time\`, \`keep_lookback_periods\`, \`save_bot_time\`, \`price_format\`) at their defaults. Their
values stay in force, and any other value of the latter has a field. Times in ms are entered in seconds.`,
  zh: `应用的表单不显示对所选策略不起作用的选项，也不显示取默认值的系统选项（\`sync_trade_time\`、\`server.poll_scan_time\`、\`poll_scan_time\`、
\`poll_broadcast_time\`、\`keep_lookback_periods\`、\`save_bot_time\`、\`price_format\`）；已有的值继续有效，改过的系统选项仍会显示。毫秒在表单中以秒填写。`,
};

/** The whole page, from the option table. */
export function optionsPage(): string {
  return [
    '# Bot options · 机器人选项',
    '<!-- Written by `npm run docs:options` from the option table of the engine. -->',
    '[English](#english) · [中文](#中文)',
    '## English',
    ...section('en'),
    '## 中文',
    ...section('zh'),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function section(language: Language): string[] {
  const groups = GROUPS.flatMap((group) => [
    `### ${GROUP_TITLES[group][language]}`,
    table(
      HEADS[language],
      ITEMS.filter((item) => item.group === group).map((item) => cells(item, language)),
    ),
  ]);
  return [
    INTRODUCTION[language],
    FORM[language],
    ...groups,
    exchanges(language),
    CHECKS[language],
    ...templates(language),
  ];
}

function cells(item: Item, language: Language): string[] {
  const { title, help } = optionTexts(item.name);
  const condition = item.show === undefined ? { zh: '始终', en: 'always' } : conditionText(item.show);
  return [
    `\`${item.name}\``,
    title[language],
    help[language],
    unitText(item, language),
    valuesText(item, language),
    defaultText(item, language),
    condition[language],
    ACTS[item.apply][language],
  ];
}

function unitText(item: Item, language: Language): string {
  if (item.type === 'table') {
    return Object.values(optionTexts(item.name).columns ?? {})
      .map(({ title, basis }) => `${title[language]}: % ${basis[language]}`)
      .join('; ');
  }
  if (item.type !== 'number') return '';
  return [UNITS[item.format]?.[language], optionTexts(item.name).basis?.[language]].filter(Boolean).join(' ');
}

function valuesText(item: Item, language: Language): string {
  const step = language === 'zh' ? '，步长 ' : ', step ';
  const range = ([min, max, by]: readonly [number, number, number]) => `${min} – ${max}${step}${by}`;
  switch (item.type) {
    case 'number':
      return range(item.step);
    case 'tab':
    case 'array':
      return item.list.map((value) => `\`${value}\``).join(' ');
    case 'table': {
      const rows = language === 'zh' ? `0 – ${item.maxRows} 行` : `0 – ${item.maxRows} rows`;
      const { profit, stop } = item.columns;
      return `${rows}; \`profit\` ${range(profit.step)}; \`stop\` ${range(stop.step)}`;
    }
    default:
      return item.type === 'textarea' ? '' : `\`${item.pattern.source.replaceAll('|', '\\|')}\``;
  }
}

function defaultText(item: Item, language: Language): string {
  if (item.type !== 'table') return `\`${item.value}\``;
  if (item.value.length === 0) return language === 'zh' ? '无' : 'none';
  const arrow = language === 'zh' ? '卖出' : 'sells';
  return item.value.map(({ profit, stop }) => `${profit} ${arrow} ${stop}`).join(', ');
}

function conditionText(condition: Condition): Text {
  if ('all' in condition) {
    const parts = condition.all.map(conditionText);
    return { zh: parts.map(({ zh }) => zh).join('，'), en: parts.map(({ en }) => en).join(', ') };
  }
  const { key } = condition;
  if (key === 'exchange.future') return { zh: '合约', en: 'futures' };
  if (key === 'exchange.defi') return { zh: '非 DeFi', en: 'not DeFi' };
  const values = 'eq' in condition ? [condition.eq] : condition.in;
  const text = `\`${key}\` = ${values.map((value) => `\`${value}\``).join(' / ')}`;
  return { zh: text, en: text };
}

function exchanges(language: Language): string {
  const heads = {
    en: ['Exchange', 'Name', 'Kind', 'Maker fee, %', 'Taker fee, %', 'Port'],
    zh: ['交易所', '名称', '类型', '挂单手续费 %', '吃单手续费 %', '端口'],
  }[language];
  const kinds = {
    future: { zh: '合约', en: 'futures' },
    defi: { zh: '去中心化', en: 'DeFi' },
    spot: { zh: '现货', en: 'spot' },
  };
  const note = {
    en: 'A new bot in the app starts with the fees below, which an account without discounts pays. On DeFi they are those of the usual pool.',
    zh: '在应用中新建的机器人采用下列手续费，即无优惠账户的费率；DeFi 为常用资金池的费率。',
  }[language];
  const rows = table(
    heads,
    VENUES.map(({ id, port }) => {
      const { future = false, defi = false, fees } = exchangeOfVenue(id) ?? {};
      return [
        `\`${id}\``,
        venueTitle(id)[language],
        kinds[future ? 'future' : defi ? 'defi' : 'spot'][language],
        String(fees?.maker ?? ''),
        String(fees?.taker ?? ''),
        String(port),
      ];
    }),
  );
  return `${note}\n\n${rows}`;
}

function templates(language: Language): string[] {
  const title = { en: '### Templates', zh: '### 模板' }[language];
  const text = {
    en: 'What a new bot in the app can begin with. Everything that is not listed is at its default.',
    zh: '在应用中新建机器人时可以选用。未列出的选项均为默认值。',
  }[language];
  const heads = { en: ['Template', 'What it does', 'The risk', 'Sets'], zh: ['模板', '作用', '风险', '设置'] }[
    language
  ];
  const rows = TEMPLATES.map((template) => [
    TEMPLATE_TEXTS[template.id].title[language],
    TEMPLATE_TEXTS[template.id].help[language],
    TEMPLATE_TEXTS[template.id].risk[language],
    Object.entries({ ...template.options, ...template.params })
      .map(([name, value]) => `\`${name}\` ${typeof value === 'object' ? JSON.stringify(value) : value}`)
      .join(', '),
  ]);
  return [title, text, table(heads, rows)];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (parts: readonly string[]) => `| ${parts.join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

if (import.meta.main) {
  writeFileSync(OPTIONS_PAGE, optionsPage());
  console.log(`Written: ${path.relative(process.cwd(), OPTIONS_PAGE)}`);
}
