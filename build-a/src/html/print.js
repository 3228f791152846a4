// Prints a page: what the components made of it, as the text of an HTML document.
import { renderToString } from 'preact-render-to-string';
export const printPage = (page) => `<!doctype html>${renderToString(page)}`;
//# sourceMappingURL=print.js.map