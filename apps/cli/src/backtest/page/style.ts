/** Style of the page of a backtest, in light and dark. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --page: #f7f8f9; --card: #fff; --text: #1b2733; --soft: #566473; --line: #dfe4e8;
  --up: #0f8a6d; --down: #c8323c; --long: #1565c0; --short: #a85a00; --alarm: #b3128c; --accent: #1565c0; }
@media (prefers-color-scheme: dark) {
  :root { --page: #10161c; --card: #18212a; --text: #e6edf3; --soft: #9fb0bf; --line: #2a3744;
    --up: #2fbf9b; --down: #f0616b; --long: #64b0f5; --short: #f2a64a; --alarm: #f47ad8; --accent: #64b0f5; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1500px; padding: 24px; background: var(--page); color: var(--text);
  font: 15px/1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 20px; margin: 0 0 4px; overflow-wrap: anywhere; } h2 { font-size: 15px; margin: 20px 0 8px; }
header p { margin: 0 0 4px; color: var(--soft); overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(165px, 1fr)); gap: 8px; margin: 16px 0; }
dl div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; }
dt { color: var(--soft); font-size: 12px; } dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
#bar { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; margin-bottom: 8px; }
#pairs { display: flex; flex-wrap: wrap; gap: 8px; }
#pairs:empty { display: none; }
button { font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 6px 12px; min-height: 40px; cursor: pointer; }
button[aria-pressed=true] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); font-weight: 600; }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#legend { display: flex; flex-wrap: wrap; gap: 4px 14px; margin: 0; padding: 0; list-style: none; color: var(--soft);
  font-size: 13px; }
#crowded { margin: 0; color: var(--soft); font-size: 13px; font-style: italic; }
#candles, #equity { background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
#candles { height: 56vh; min-height: 320px; } #equity { height: 40vh; min-height: 260px; }
#tables { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 12px; margin-top: 20px; }
.table { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; overflow-x: auto; }
.table.wide { grid-column: 1 / -1; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; font-weight: 600; padding: 4px 0; }
th, td { text-align: right; padding: 4px 0 4px 16px; border-top: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 400; font-size: 13px; } tbody th { color: inherit; font-size: inherit; }
th:first-child { text-align: left; padding-left: 0; }
footer { color: var(--soft); font-size: 12px; margin-top: 12px; }
@media (max-width: 600px) {
  body { padding: 12px; } dl { grid-template-columns: 1fr 1fr; } #candles { height: 48vh; }
}
`;
