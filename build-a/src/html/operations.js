import { jsx as _jsx, jsxs as _jsxs, Fragment as _Fragment } from "preact/jsx-runtime";
import { schemaPath, titled } from './links.js';
import { Page } from './page.js';
import { Formats, RequestAs } from './request.js';
export const OperationsPage = (described) => {
    const { visit, title, description, chapters, formats, yaml } = described;
    return (_jsxs(Page, { visit: visit, title: title, styles: ['reference.css'], children: [_jsxs("header", { class: "page-head", children: [_jsx("h1", { children: title }), _jsx("a", { class: "button", href: schemaPath, children: "Try it here" })] }), _jsx(Prose, { text: description }), _jsx("nav", { class: "contents", "aria-label": "Chapters", children: _jsx("ul", { children: chapters.map(({ name, operations }) => (_jsxs("li", { children: [_jsx("a", { href: `#${name}`, children: titled(name) }), " ", operations.length] }, name))) }) }), chapters.map((chapter) => (_jsxs("section", { id: chapter.name, class: "overview", children: [_jsx("h2", { class: "label", children: titled(chapter.name) }), chapter.description && _jsx("p", { children: chapter.description }), chapter.operations.map((operation) => (_jsx(OperationBox, { operation: operation }, operation.id)))] }, chapter.name))), _jsx(Formats, { visit: visit, formats: formats }), _jsx(RequestAs, { visit: visit, type: "application/yaml", text: yaml })] }));
};
const OperationBox = ({ operation }) => {
    const { id, method, path, summary, description, isGuarded, takes, parameters, answers } = operation;
    return (_jsxs("article", { id: id, class: "operation", children: [_jsxs("h3", { children: [_jsx("span", { class: "method", children: method }), " ", _jsx("code", { children: path })] }), _jsxs("p", { children: [_jsxs("strong", { children: [summary, "."] }), " ", description !== summary && _jsx(Code, { text: description }), isGuarded && _jsx("span", { class: "guarded", children: " Needs a token." })] }), _jsxs("details", { children: [_jsxs("summary", { children: ["Parameters and answers", _jsxs("span", { class: "sr", children: [" of ", `${method} ${path}`] })] }), takes.length > 0 && _jsxs("p", { children: ["Takes ", takes.join(' or '), "."] }), parameters.length > 0 && (_jsx("dl", { class: "fields", children: parameters.map(({ name, where, description: said, isRequired }) => (_jsxs("div", { children: [_jsxs("dt", { children: [_jsx("code", { children: name }), _jsxs("span", { class: "where", children: [' ', where, isRequired && ', required'] })] }), _jsx("dd", { children: _jsx(Code, { text: said }) })] }, `${where} ${name}`))) })), _jsx("dl", { class: "fields", children: answers.map(({ status, description: said }) => (_jsxs("div", { children: [_jsx("dt", { children: status }), _jsx("dd", { children: _jsx(Code, { text: said }) })] }, status))) })] })] }));
};
/** Paragraphs, and lists whose items begin with a dash. */
const Prose = ({ text }) => (_jsx("div", { class: "prose", children: text
        .trim()
        .split(/\n{2,}/)
        .map((part, index) => part.startsWith('- ') ? (_jsx("ul", { children: part.split(/^- /m).map((item) => item !== '' && (_jsx("li", { children: _jsx(Code, { text: item }) }, item))) }, index)) : (_jsx("p", { children: _jsx(Code, { text: part }) }, index))) }));
/** A text, in which what stands between back quotes is code. */
const Code = ({ text }) => (_jsx(_Fragment, { children: text
        .split('`')
        .map((part, index) => (index % 2 === 0 ? part : _jsx("code", { children: part }, index))) }));
//# sourceMappingURL=operations.js.map