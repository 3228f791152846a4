import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { desk, homePath, withParameters } from './links.js';
export const siteName = 'Zine Catalogue';
export const Page = ({ visit, title, head, scripts = [], styles = [], wide, children }) => (_jsxs("html", { lang: "en", children: [_jsxs("head", { children: [_jsx("meta", { charset: "utf-8" }), _jsx("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }), _jsx("meta", { name: "color-scheme", content: "light dark" }), _jsx("title", { children: title === siteName ? title : `${title} · ${siteName}` }), _jsx("link", { rel: "icon", type: "image/svg+xml", href: visit.asset('icon.svg') }), ['site.css', ...styles].map((name) => (_jsx("link", { rel: "stylesheet", href: visit.asset(name) }, name))), ['site.js', ...scripts].map((name) => (_jsx("script", { type: "module", src: visit.asset(name) }, name))), head] }), _jsxs("body", { children: [_jsx("a", { class: "skip", href: "#main", children: "Skip to the content" }), _jsx(Masthead, { visit: visit }), _jsx("main", { id: "main", class: wide ? 'wide' : undefined, tabIndex: -1, children: children }), _jsx("footer", { class: "colophon", children: _jsxs("p", { children: ["A catalogue of zines, of those who make them, and of where they are kept. Every page is also data: ", _jsx("a", { href: "/dataset", children: "about the dataset" }), ", ", _jsx("a", { href: "/ns", children: "its terms" }), "."] }) })] })] }));
/** What shows that a form came from here: the first thing in every form that changes anything. */
export const Csrf = ({ token }) => (_jsx("input", { type: "hidden", name: "csrf_token", value: token }));
const Masthead = ({ visit }) => (_jsx("header", { class: "masthead", children: _jsxs("div", { class: "masthead-inner", children: [_jsx("a", { class: "brand", href: homePath, "aria-current": visit.path === homePath ? 'page' : undefined, children: siteName }), _jsx("nav", { "aria-label": "Catalogue", children: _jsx("ul", { children: visit.sections.map(([path, title]) => (_jsx("li", { children: _jsx("a", { href: path, "aria-current": currentOf(visit.path, path), children: title }) }, path))) }) }), _jsx(Visitor, { visit: visit })] }) }));
function currentOf(path, section) {
    if (path === section)
        return 'page';
    return path.startsWith(section) ? 'true' : undefined;
}
const Visitor = ({ visit }) => {
    const { account, path, query, csrf } = visit;
    if (!account)
        return (_jsx("p", { class: "visitor", children: _jsx("a", { href: withParameters(desk.login, '', { next: `${path}${query && `?${query}`}` }), children: "Sign in" }) }));
    return (_jsxs("div", { class: "visitor", children: [_jsx("a", { href: desk.account, children: account.name }), account.role === 'admin' && _jsx("a", { href: desk.accounts, children: "Accounts" }), _jsxs("form", { method: "post", action: desk.logout, children: [_jsx(Csrf, { token: csrf }), _jsx("button", { class: "plain", children: "Sign out" })] })] }));
};
//# sourceMappingURL=page.js.map