import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appTestbed, field, register } from './appTestbed.ts';
import { openContext, screens } from './browser.ts';
import { checkPage, saveScreenshot } from './checkPage.ts';
import { button } from './pageTestbed.ts';

const testbed = appTestbed();

describe.each(screens('desktop'))('the set-up of a bot, on a $name', ({ name, width, height }) => {
  const labels = name === 'phone' ? CHINESE : ENGLISH;
  let context: BrowserContext;
  let page: Page;
  const failures: string[] = [];

  beforeAll(async () => {
    const screen = { viewport: { width, height }, hasTouch: name === 'phone' };
    const first = await openContext(testbed.browser, screen);
    const visitor = await first.newPage();
    visitor.setDefaultTimeout(60_000);
    await register(visitor, testbed.heron, `Tuner_${name}`);
    context = await openContext(testbed.browser, {
      ...screen,
      ...labels.display,
      storageState: await first.storageState(),
    });
    await first.close();
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => failures.push(error.message));
  });

  afterAll(async () => {
    await context?.close();
    expect(failures).toEqual([]);
  });

  test('is changed while the bot runs: reviewed, guarded against loss, and journaled', async () => {
    await page.goto(`${testbed.heron.url}/bot-add/`);
    await field(page, labels.name).fill('Tuned');
    await page.getByRole('combobox', { name: labels.period, exact: true }).selectOption('1m');
    await button(page, labels.createAndStart).click();
    await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
    await page.getByRole('tab', { name: labels.setup }).click();
    await page.getByRole('link', { name: labels.edit, exact: true }).click();
    await page.getByText(labels.unchanged).waitFor();

    await page.getByRole('combobox', { name: labels.order }).selectOption('name');
    const boxes = page.locator('.page:not([inert]) .pair-list input');
    // The list comes from the exchange, so a fast page has no list yet.
    await boxes.nth(2).waitFor();
    const pairs = await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('aria-label') ?? ''));
    expect(pairs.slice(0, 2), 'chosen pairs come first').toEqual(['BTC-USDT', 'ETH-USDT']);
    const others = pairs.slice(2);
    expect(others).toEqual([...others].sort());
    await page.getByRole('combobox', { name: labels.order }).scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-pairs`);
    await field(page, labels.share).fill('0.5.');
    await button(page, labels.review).click();
    expect(await field(page, labels.share).getAttribute('aria-invalid')).toBe('true');
    await field(page, labels.share).fill('35');
    await page.locator('[data-acts=next_entry]').waitFor();
    await page.getByRole('combobox', { name: labels.period, exact: true }).selectOption('5m');
    await page.locator('[data-acts=reload]').waitFor();
    await page.getByText(labels.more, { exact: true }).click();
    await field(page, labels.takerFee).fill('0.2');
    await page.locator('[data-acts=now]').waitFor();
    await checkPage(page, `${name}-edit`);
    // A collapsed field with an error is expanded on every review.
    await field(page, labels.takerFee).fill('99');
    for (const _ of [1, 2]) {
      await page.getByText(labels.more, { exact: true }).click();
      await field(page, labels.takerFee).waitFor({ state: 'detached' });
      await button(page, labels.review).click();
      await page.locator('input[aria-invalid=true]').waitFor();
    }
    await field(page, labels.takerFee).fill('0.2');
    await page.getByRole('button', { name: labels.helpOfFee }).click();
    await page.getByRole('dialog').getByText(labels.feeHelp).waitFor();
    await checkPage(page, `${name}-edit-help`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: labels.helpOfFee }).evaluate(isFocused)).toBe(true);

    await page.goBack();
    await page.getByRole('alertdialog').getByText(labels.leave).waitFor();
    await page.getByRole('alertdialog').getByRole('button').first().click();
    expect(new URL(page.url()).pathname).toMatch(/^\/bot-edit\//);

    await button(page, labels.review).click();
    const changes = page.getByTestId('changes').getByRole('listitem');
    await changes.first().waitFor();
    expect(await changes.count()).toBe(3);
    await checkPage(page, `${name}-edit-review`);
    await button(page, labels.save).click();
    await page.waitForURL(/\/bot\/\w+\/$/);
    await page.getByRole('tab', { name: labels.journal }).click();
    await page.getByTestId('journal').getByText(labels.journaled).waitFor();
    await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
  });

  test('on futures shows direction, leverage, margin mode and the fees of the exchange', async () => {
    await page.goto(`${testbed.heron.url}/bot-add/`);
    await button(page, labels.createOnly).click();
    await page.getByText(labels.nameMissing).waitFor();
    await field(page, labels.name).fill('Hedged');
    await page.getByText(labels.nameMissing).waitFor({ state: 'detached' });
    const leverage = page.getByRole('textbox', { name: labels.leverage, exact: true });
    expect(await leverage.count()).toBe(0);
    await page.getByRole('combobox', { name: labels.exchange, exact: true }).selectOption('binanceusdm-demo');
    await leverage.waitFor();
    expect(await leverage.inputValue()).toBe('3');
    await page.getByRole('radio', { name: labels.both, exact: true }).check();
    await page.getByRole('radio', { name: labels.cross, exact: true }).check();
    await leverage.fill('0');
    await page.getByRole('checkbox', { name: 'BTC-USDT', exact: true }).check();
    await button(page, labels.createOnly).click();
    await leverage.and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await leverage.evaluate(isFocused)).toBe(true);
    await page.getByText(labels.leverageWrong, { exact: true }).waitFor();
    await saveScreenshot(page, `${name}-fault`);
    await leverage.fill('1');
    await leverage.and(page.locator(':not([aria-invalid])')).waitFor();
    await leverage.scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-futures`);
    const summary = page.getByRole('complementary', { name: labels.summary });
    await summary.getByText(labels.oneCross).waitFor();
    await summary.getByTestId('chart').and(page.locator('[data-pair=BTC-USDT]')).waitFor();
    await summary.getByRole('heading').scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-summary`);
    // The buttons stay in view and do not cover the field with the focus, on the smallest phone either.
    await page.setViewportSize({ width: 360, height: 640 });
    await saveScreenshot(page, `${name}-smallest`);
    for (const each of [field(page, labels.share), leverage]) {
      await each.focus();
      expect(await each.evaluate(isOnTop)).toBe(true);
      expect(await button(page, labels.createAndStart).evaluate(isOnTop)).toBe(true);
    }
    await page.setViewportSize({ width, height });
    await page.getByText(labels.more, { exact: true }).click();
    expect(await field(page, labels.takerFee).inputValue()).toBe('0.05');
    await checkPage(page, `${name}-futures-fees`);
    await button(page, labels.createOnly).click();
    await page.waitForURL(/\/bot\/\w+\/$/);
    expect(JSON.parse(await exported())).toMatchObject({
      options: { market: 'both', leverage: 1, margin_mode: 'cross', takerFee: 0.05, makerFee: 0.02 },
    });
    await page.getByRole('link', { name: labels.edit, exact: true }).click();
    await leverage.fill('2');
    await page.locator('[data-acts=next_entry]').waitFor();
    await checkPage(page, `${name}-futures-edit`);
    await button(page, labels.undoAll).click();
  });

  /** Returns the exported configuration of the bot on the screen. */
  async function exported(): Promise<string> {
    await page.getByRole('tab', { name: labels.setup }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, labels.export).click()]);
    expect(file.suggestedFilename()).toMatch(/\.heron\.json$/);
    return readFile(await file.path(), 'utf8');
  }

  test('begins with a template, survives a reload, is copied, exported and imported', async () => {
    await page.goto(`${testbed.heron.url}/bot-add/`);
    await page.getByRole('radio', { name: labels.grid, exact: true }).check();
    await page.getByText(labels.gridRisk).waitFor();
    await checkPage(page, `${name}-template`);
    await page.getByText(labels.more, { exact: true }).click();
    await page.getByText(labels.stopLoss, { exact: true }).waitFor();
    for (const unused of [labels.takeProfit, labels.saveInterval, labels.minCandles])
      expect(await page.getByText(unused, { exact: true }).count(), unused).toBe(0);
    const interval = page.getByRole('textbox', { name: labels.repriceInterval, exact: true });
    expect(await interval.inputValue()).toBe('5');
    await interval.fill('2.5');
    await interval.scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-units`);
    await page.getByRole('button', { name: labels.helpOfLevels, exact: true }).click();
    await page.getByRole('dialog').getByText(labels.levelsHelp).waitFor();
    await checkPage(page, `${name}-param-help`);
    await page.keyboard.press('Escape');
    await field(page, labels.gridLevels).fill('8');
    await field(page, labels.name).fill('Laddered');
    await page.getByRole('radio', { name: labels.manual, exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button').first().click();
    await page.reload();
    await field(page, labels.name).waitFor();
    expect(await field(page, labels.name).inputValue()).toBe('Laddered');
    expect(await field(page, labels.gridLevels).inputValue()).toBe('8');
    await page.getByRole('button', { name: labels.resetShare }).click();
    expect(await field(page, labels.share).inputValue()).toBe('20');
    await button(page, labels.createOnly).click();
    await page.waitForURL(/\/bot\/\w+\/$/);
    const first = await exported();
    expect(JSON.parse(first)).toMatchObject({
      options: { strategy: 'grid', buy_pct: 20, period: '15m', order_adjust_time: 2_500 },
      params: { levels: 8 },
    });
    await checkPage(page, `${name}-setup`);

    await page.getByRole('link', { name: labels.duplicate, exact: true }).click();
    await page.waitForURL(/\/bot-add\/from\//);
    expect(await field(page, labels.name).inputValue()).toMatch(/^Laddered ./);
    await button(page, labels.createOnly).click();
    await page.waitForURL(/\/bot\/\w+\/$/);
    expect(await exported()).toBe(first);

    await page.goto(`${testbed.heron.url}/bot-add/`);
    await button(page, labels.import).click();
    const paste = page.getByRole('textbox', { name: labels.paste, exact: true });
    await paste.fill('{"heron":2,"options":{"buy_pct":101}}');
    await button(page, labels.take).click();
    await page.getByRole('alert').getByText('buy_pct').waitFor();
    await checkPage(page, `${name}-import`);
    await paste.fill(first.replace('"options": {', '"options": {"trade_secret": 1,'));
    await button(page, labels.take).click();
    await page.getByText('trade_secret').waitFor();
    await field(page, labels.name).fill('Imported');
    await checkPage(page, `${name}-imported`);
    await button(page, labels.createOnly).click();
    await page.waitForURL(/\/bot\/\w+\/$/);
    expect(await exported()).toBe(first);
  });

  test('accepts a rule of indicators, a vote of strategies, or chosen patterns', async () => {
    await page.goto(`${testbed.heron.url}/bot-add/`);
    await field(page, labels.name).fill('Ruled');
    const strategy = page.getByRole('combobox', { name: labels.strategy, exact: true });
    await strategy.selectOption('candlestick');
    const hammer = page.getByRole('checkbox', { name: labels.hammer, exact: true });
    await hammer.uncheck();
    await hammer.scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-patterns`);
    await strategy.selectOption('vote');
    await button(page, labels.addMember).click();
    await page.getByRole('combobox', { name: labels.fourth }).selectOption('candlestick');
    await page.getByRole('combobox', { name: labels.fourth }).scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-members`);

    // The signal that starts a DCA deal has its own parameters.
    await strategy.selectOption('dca');
    await page.getByRole('combobox', { name: labels.startsWith, exact: true }).selectOption('strategy');
    await page.getByRole('combobox', { name: labels.signal, exact: true }).selectOption('rsi');
    const given = page.getByRole('group', { name: labels.signalParams });
    await given.getByRole('textbox', { name: labels.rsiLength, exact: true }).fill('1');
    await button(page, labels.createOnly).click();
    await given.locator('input[aria-invalid=true]').waitFor();
    await checkPage(page, `${name}-signal-params`);
    await given.getByRole('textbox', { name: labels.rsiLength, exact: true }).fill('9');
    await given.locator('input[aria-invalid=true]').waitFor({ state: 'detached' });

    await strategy.selectOption('custom');
    const ruleText = page.getByTestId('rule-text');
    await ruleText.getByText(labels.standardRule).waitFor();
    const rsi = page.getByRole('listitem', { name: /^RSI/ });
    await field(page, labels.name).waitFor();
    await rsi.getByRole('textbox', { name: labels.length, exact: true }).fill('1.5');
    await button(page, labels.createOnly).click();
    await rsi.getByRole('alert').waitFor();
    expect(await rsi.getByRole('combobox').first().evaluate(isFocused)).toBe(true);
    await checkPage(page, `${name}-rule-fault`);
    await rsi.getByRole('textbox', { name: labels.length, exact: true }).fill('9');
    await rsi.getByRole('alert').waitFor({ state: 'detached' });
    // The keyboard alone adds another part, which sells.
    await button(page, labels.addPart).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: labels.third }).selectOption('macd');
    const macd = page.getByRole('listitem', { name: /^MACD/ });
    const selling = macd.getByRole('group', { name: labels.selling });
    await selling.getByRole('combobox', { name: labels.condition }).selectOption('or');
    await selling.getByRole('combobox', { name: labels.source }).selectOption({ label: labels.macdLine });
    await selling.getByRole('combobox', { name: labels.comparison }).selectOption('crossDown');
    await selling.getByRole('combobox', { name: labels.target }).selectOption({ label: labels.number });
    await selling.getByRole('textbox', { name: labels.number }).fill('-0.5');
    await ruleText.getByText(labels.rule).waitFor();
    await macd.scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-rule`);
    await macd.getByRole('button', { name: labels.moveUp }).click();
    await ruleText.getByText(labels.movedRule).waitFor();
    await ruleText.scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-rule-words`);
    await button(page, labels.createOnly).click();
    await page.waitForURL(/\/bot\/\w+\/$/);
    expect(JSON.parse(await exported())).toMatchObject({
      options: { strategy: 'custom' },
      params: {
        parts: [
          { indicator: 'ema' },
          { indicator: 'macd', sellPoint: { connect: 'base', source: 'ema3.line', op: 'crossDown', target: -0.5 } },
          { indicator: 'rsi', input: { length: 9 }, sellPoint: { connect: 'or' } },
        ],
      },
    });
    await page.getByText(labels.movedRule).waitFor();

    // The chart draws each indicator of the rule, with its name.
    await button(page, labels.start).click();
    const legend = page.getByTestId('chart-legend');
    await legend.getByText(labels.macdLine).filter({ hasText: /\d$/ }).waitFor();
    await page.getByTestId('chart').locator('canvas').first().waitFor();
    await expect.poll(() => legend.locator('.legend-series').count(), { timeout: 30_000 }).toBe(6);
    await legend.scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-rule-chart`);
  });
});

/** Returns whether the middle of an element is visible and covered by nothing else. */
function isOnTop(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return there !== null && (element.contains(there) || there.contains(element));
}

const isFocused = (element: Element) => element === document.activeElement;

const ENGLISH = {
  display: { locale: 'en-US' },
  name: 'Name',
  period: 'Timeframe',
  createAndStart: 'Create and start',
  setup: 'Setup',
  edit: 'Edit',
  unchanged: 'No changes yet',
  order: 'Sort by',
  share: 'Entry size',
  review: 'Review changes',
  more: 'More options',
  takerFee: 'Taker fee',
  helpOfFee: 'About Taker fee',
  leverage: 'Leverage',
  helpOfLevels: 'About Grids',
  levelsHelp: 'Number of grids. More trade more often',
  leverageWrong: 'Leverage must be a number from 1 to 125',
  nameMissing: 'Give the bot a name',
  stopLoss: 'Stop-loss',
  takeProfit: 'Take-profit',
  saveInterval: 'Save interval',
  minCandles: 'Min candles',
  repriceInterval: 'Re-price interval',
  summary: 'What the bot will do',
  oneCross: '1× leverage, cross',
  exchange: 'Exchange',
  both: 'Both',
  cross: 'Cross',
  undoAll: 'Undo all',
  feeHelp: 'Fee of a taker fill',
  leave: 'is not saved and will be lost',
  save: 'Save changes',
  journal: 'Journal',
  journaled: 'Taker fee changed from 0.1% to 0.2%. Takes effect immediately.',
  grid: 'Grid',
  gridRisk: 'Below the range it holds a losing position until the 30% stop-loss',
  gridLevels: 'Grids',
  manual: 'Manual',
  resetShare: 'reset Entry size',
  createOnly: 'Create only',
  start: 'Start',
  export: 'Export',
  duplicate: 'Duplicate',
  import: 'Import',
  paste: 'Or paste its text',
  take: 'Use this setup',
  strategy: 'Strategy',
  hammer: 'Hammer',
  addMember: 'Add a strategy',
  fourth: 'Strategy 4',
  startsWith: 'Start condition',
  signal: 'Signal strategy',
  signalParams: 'Signal parameters',
  rsiLength: 'Length',
  standardRule: 'Buys when the close is above EMA (50), and RSI (14) crosses above 45.',
  length: 'Length',
  addPart: 'Add an indicator',
  third: 'Indicator 3',
  selling: 'For selling',
  condition: 'Condition',
  source: 'This',
  macdLine: 'MACD (12, 26, 9) line',
  comparison: 'Comparison',
  target: 'With',
  number: 'A number',
  rule: 'Sells when RSI (9) crosses below 70, or MACD (12, 26, 9) line crosses below -0.5.',
  moveUp: 'Move indicator 3 up',
  movedRule: /Sells when MACD \(12, 26, 9\) line crosses below -0\.5, or RSI \(9\) crosses below 70\./,
} as const;

const CHINESE = {
  display: { locale: 'zh-CN', colorScheme: 'dark' },
  name: '名称',
  period: 'K线周期',
  createAndStart: '创建并启动',
  setup: '配置',
  edit: '编辑',
  unchanged: '还没有修改',
  order: '列表排序',
  share: '开仓比例',
  review: '核对修改',
  more: '更多选项',
  takerFee: '吃单手续费',
  helpOfFee: '说明：吃单手续费',
  leverage: '杠杆',
  helpOfLevels: '说明：格数',
  levelsHelp: '网格数量。越多成交越频繁',
  leverageWrong: '杠杆必须是 1 到 125 的数',
  nameMissing: '请给机器人起个名称',
  stopLoss: '止损',
  takeProfit: '止盈',
  saveInterval: '保存间隔',
  minCandles: '最少K线数',
  repriceInterval: '改单间隔',
  summary: '机器人将如何运行',
  oneCross: '1 倍杠杆，全仓',
  exchange: '交易所',
  both: '双向',
  cross: '全仓',
  undoAll: '全部撤销',
  feeHelp: '吃单成交的手续费',
  leave: '离开后会丢失',
  save: '保存修改',
  journal: '日志',
  journaled: '吃单手续费',
  grid: '网格',
  gridRisk: '价格跌出区间后一直持有亏损的仓位',
  gridLevels: '格数',
  manual: '手动',
  resetShare: '恢复开仓比例',
  createOnly: '仅创建',
  start: '启动',
  export: '导出',
  duplicate: '复制一份',
  import: '导入',
  paste: '或粘贴文本',
  take: '使用该配置',
  strategy: '策略',
  hammer: '锤子线',
  addMember: '添加策略',
  fourth: '策略 4',
  startsWith: '开始条件',
  signal: '信号策略',
  signalParams: '信号策略参数',
  rsiLength: '长度',
  standardRule: '当 收盘价 高于 指数均线 EMA (50)，且 RSI (14) 上穿 45 时买入。',
  length: '周期',
  addPart: '添加指标',
  third: '指标 3',
  selling: '卖出条件',
  condition: '条件',
  source: '比较',
  macdLine: 'MACD (12, 26, 9) 线',
  comparison: '关系',
  target: '对象',
  number: '自定数值',
  rule: '当 RSI (9) 下穿 70，或 MACD (12, 26, 9) 线 下穿 -0.5 时卖出。',
  moveUp: '上移指标 3',
  movedRule: /当 MACD \(12, 26, 9\) 线 下穿 -0\.5，或 RSI \(9\) 下穿 70 时卖出。/,
} as const;
