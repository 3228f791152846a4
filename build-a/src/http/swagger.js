import { jsx as _jsx } from "preact/jsx-runtime";
// The description of the API as Swagger UI shows it, which no client of the API needs to be told of.
import { schemaPath } from '../html/links.js';
import { SwaggerPage } from '../html/swagger.js';
import { html } from './negotiate.js';
import { showPage, visitOf } from './sight.js';
export const swaggerEndpoint = (assets) => ({
    path: schemaPath,
    name: 'Swagger UI',
    description: 'The description of the service, to read and to try out.',
    formats: [html],
    methods: {
        GET(ctx) {
            showPage(ctx, _jsx(SwaggerPage, { visit: visitOf(ctx, assets) }));
        },
    },
});
//# sourceMappingURL=swagger.js.map