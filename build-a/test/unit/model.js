// The model as the service joins it, with no terms of a data directory.
import { resolve } from 'node:path';
import { openModel as open } from '../../src/app/model.js';
export const openModel = ({ base }) => open({ baseUrl: base, dataDir: resolve('no-such-directory') });
//# sourceMappingURL=model.js.map