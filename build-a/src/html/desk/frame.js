import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { Page } from '../page.js';
export const NoticeBox = ({ notice: { tone, text } }) => (_jsx("div", { class: `notice ${tone}`, role: tone === 'wrong' ? 'alert' : 'status', tabIndex: -1, children: text }));
/** A page of the desk: a title, what there is to say, and what there is to do. */
export const DeskPage = ({ visit, title, notice, scripts = [], children }) => (_jsx(Page, { visit: visit, title: title, scripts: scripts, head: _jsx("meta", { name: "robots", content: "noindex" }), children: _jsxs("div", { class: "desk", children: [_jsx("header", { class: "page-head", children: _jsx("h1", { children: title }) }), notice && _jsx(NoticeBox, { notice: notice }), children] }) }));
export const MessagePage = ({ visit, title, children, }) => (_jsx(DeskPage, { visit: visit, title: title, children: _jsx("div", { class: "lead", children: children }) }));
/** One line to be filled in. */
export const Entry = ({ name, label, hint, type = 'text', ...rest }) => {
    const input = {
        id: name,
        name,
        'aria-describedby': hint && `${name}-hint`,
        autocapitalize: 'none',
        spellcheck: false,
        ...rest,
    };
    return (_jsxs("div", { class: "field", children: [_jsx("label", { for: name, children: label }), hint && (_jsx("p", { class: "hint", id: `${name}-hint`, children: hint })), type === 'password' ? (_jsx("input", { type: "password", ...input })) : (_jsx("input", { type: "text", ...input }))] }));
};
//# sourceMappingURL=frame.js.map