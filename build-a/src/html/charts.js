import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
export const Bars = ({ marks }) => {
    const most = Math.max(1, ...marks.map(({ count }) => count));
    return (_jsx("ol", { class: "bars", children: marks.map(({ label, count, href }) => (_jsx("li", { children: _jsxs("a", { href: href, children: [_jsx("span", { class: "bar-label", children: label }), ' ', _jsx("span", { class: "bar-count", children: count.toLocaleString('en') }), _jsx("svg", { class: "bar", width: "100%", height: "10", "aria-hidden": "true", focusable: "false", children: _jsx("rect", { width: percent(count / most), height: "10" }) })] }) }, href))) }));
};
// In pixels from above; across, all is in percent, so that text keeps its size at every width.
const height = 240;
const top = 22;
const bottom = 212;
/** @param of what is counted, as in `zines` */
export const Columns = ({ columns, of, }) => {
    const most = Math.max(...columns.map(({ count }) => count));
    const lines = linesFor(most);
    const highest = Math.max(...lines);
    const width = 1 / columns.length;
    const levelOf = (count) => bottom - ((bottom - top) * count) / highest;
    const step = columns.length > 60 ? 20 : columns.length > 12 ? 10 : columns.length > 6 ? 2 : 1;
    return (_jsxs("svg", { class: "columns", width: "100%", height: height, "aria-hidden": "true", focusable: "false", children: [lines.map((line) => (_jsx("line", { class: "grid", x1: "0", x2: "100%", y1: levelOf(line), y2: levelOf(line) }, line))), columns.map(({ year, count, href }, index) => count === 0 ? null : (_jsxs("a", { href: href, tabIndex: -1, children: [_jsx("title", { children: `${year}: ${count.toLocaleString('en')} ${of}` }), _jsx("rect", { class: "reach", x: percent(index * width), y: top, width: percent(width), height: bottom - top }), _jsx("rect", { class: count === most ? 'column peak' : 'column', x: percent((index + 0.1) * width), y: rounded(Math.min(levelOf(count), bottom - 2)), width: percent(width * 0.8), height: rounded(Math.max(bottom - levelOf(count), 2)) })] }, year))), lines.map((line) => (_jsx("text", { class: "tick", x: "0", y: levelOf(line) - 5, children: line.toLocaleString('en') }, line))), columns.map(({ year }, index) => year % step === 0 ? (_jsx("text", { class: "tick", x: percent((index + 0.5) * width), y: height - 8, "text-anchor": anchorAt((index + 0.5) * width), children: year }, year)) : null)] }));
};
/** Round numbers, four of them or fewer, of which the last is not exceeded. */
function linesFor(most) {
    const rough = Math.max(1, most / 4);
    const scale = 10 ** Math.floor(Math.log10(rough));
    const step = Math.ceil([1, 2, 5, 10].map((one) => one * scale).find((one) => one >= rough) ?? rough);
    return Array.from({ length: Math.ceil(most / step) }, (_, index) => (index + 1) * step);
}
// A label at the edge stays inside.
const anchorAt = (share) => share < 0.04 ? 'start' : share > 0.96 ? 'end' : 'middle';
const percent = (share) => `${rounded(share * 100)}%`;
const rounded = (number) => Math.round(number * 100) / 100;
//# sourceMappingURL=charts.js.map