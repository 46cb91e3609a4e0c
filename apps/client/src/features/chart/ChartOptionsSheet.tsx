import { type ReactNode, useState } from 'react';
import {
  CHART_DEFAULTS,
  type ChartOptions,
  changeChart,
  MARKER_POSITIONS,
  MARKER_SHAPES,
  PRICE_SCALES,
  RANGES,
  useChartOptions,
} from '../../entities/bot/display/chartOptions.ts';
import { changeTrade, TRADE_DEFAULTS, useTradeOptions } from '../../entities/bot/display/tradeOptions.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Button } from '../../ui/Button.tsx';
import { ColourField } from '../../ui/fields/ColourField.tsx';
import { NumberField } from '../../ui/fields/NumberField.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { TickField } from '../../ui/fields/TickField.tsx';
import { Overlay } from '../../ui/Overlay.tsx';
import { UpChoice } from '../../ui/UpChoice.tsx';

/**
 * Edits the options of all charts on this device. A change applies at once, but the number of candles in view applies only
 * to charts opened later.
 */
export function ChartOptionsSheet({ onClose }: { onClose: () => void }) {
  const { t } = usePreferences();
  const options = useChartOptions();
  const trade = useTradeOptions();
  /** A reset changes this key, so that number fields show the new values. */
  const [round, setRound] = useState(0);
  const colour = (name: 'upColor' | 'downColor' | (typeof MARKS)[number]) => (
    <ColourField
      key={name}
      label={t(`chartOption.${name}`)}
      value={options[name]}
      onChange={(value) => changeChart({ [name]: value })}
    />
  );
  const tick = (name: 'colorIntel' | 'hideStrategies' | 'hideSignal', hint?: string) => (
    <TickField
      label={t(`chartOption.${name}`)}
      hint={hint}
      checked={options[name]}
      onChange={(checked) => changeChart({ [name]: checked })}
    />
  );
  return (
    <Overlay kind="sheet" title={t('chartOption.title')} onClose={onClose}>
      <div className="chart-options">
        <Group title={t('chartOption.candles')}>
          {tick('colorIntel', t('chartOption.colorIntelHint'))}
          {options.colorIntel ? (
            <UpChoice />
          ) : (
            <div className="colour-row">
              {colour('upColor')}
              {colour('downColor')}
            </div>
          )}
          <FigureField key={`visible ${round}`} name="visibleRange" options={options} />
          <SelectField
            label={t('chartOption.priceScale')}
            value={options.priceScale}
            choices={PRICE_SCALES.map((value) => ({ value, title: t(`priceScale.${value}`) }))}
            onChange={(priceScale) => changeChart({ priceScale: priceScale as ChartOptions['priceScale'] })}
          />
          {tick('hideStrategies')}
        </Group>
        <Group title={t('chartOption.marks')}>
          {tick('hideSignal')}
          <div className="colour-row">{MARKS.map(colour)}</div>
          <SelectField
            label={t('chartOption.markerPos')}
            value={options.markerPos}
            choices={MARKER_POSITIONS.map((value) => ({ value, title: t(`markerPos.${value}`) }))}
            onChange={(markerPos) => changeChart({ markerPos: markerPos as ChartOptions['markerPos'] })}
          />
          <SelectField
            label={t('chartOption.markerShape')}
            value={options.markerShape}
            choices={MARKER_SHAPES.map((value) => ({ value, title: t(`markerShape.${value}`) }))}
            onChange={(markerShape) => changeChart({ markerShape: markerShape as ChartOptions['markerShape'] })}
          />
          <FigureField key={`size ${round}`} name="markerSize" options={options} />
        </Group>
        <Group title={t('chartOption.trading')}>
          <TickField
            label={t('chartOption.tradeAsChart')}
            hint={t('chartOption.tradeAsChartHint')}
            checked={trade.upColor === null}
            onChange={(same) => changeTrade({ upColor: same ? null : options.upColor })}
          />
          {trade.upColor !== null && (
            <ColourField
              label={t('chartOption.tradeUpColor')}
              value={trade.upColor}
              onChange={(upColor) => changeTrade({ upColor })}
            />
          )}
        </Group>
        <Button
          kind="quiet"
          onClick={() => {
            changeChart(CHART_DEFAULTS);
            changeTrade({ upColor: TRADE_DEFAULTS.upColor });
            setRound(round + 1);
          }}
        >
          {t('chartOption.reset')}
        </Button>
      </div>
    </Overlay>
  );
}

const MARKS = ['buyColor', 'sellColor', 'buyShortColor', 'sellShortColor'] as const;

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="chart-option-group">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

/** Edits a number. The change applies once the typed number is valid. */
function FigureField({ name, options }: { name: keyof typeof RANGES; options: ChartOptions }) {
  const { t, format } = usePreferences();
  const [typed, setTyped] = useState(String(options[name]));
  const range = RANGES[name];
  const [min, max] = range;
  const valid = (text: string) => text.trim() !== '' && Number(text) >= min && Number(text) <= max;
  const limits = t('chartOption.range', { min: format.number(min), max: format.number(max) });
  return (
    <NumberField
      label={t(`chartOption.${name}`)}
      value={typed}
      range={range}
      hint={limits}
      fault={valid(typed) ? null : limits}
      onChange={(text) => {
        setTyped(text);
        if (valid(text)) changeChart({ [name]: Number(text) });
      }}
    />
  );
}
