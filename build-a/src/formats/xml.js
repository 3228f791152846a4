// Text in XML 1.0, for those who write documents of it.
export { escapeAttribute, escapeText } from '../rdf/xml.js';
//# sourceMappingURL=xml.js.map