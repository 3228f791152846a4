// `rebase URL`: moves a stopped catalogue to another base.
import { rebase } from '../store/base.js';
import { openHome } from '../store/home.js';
/** @throws HomeInUse while the service runs, BaseRefused when there is nothing to move */
export async function runRebase(home, base, print) {
    const opened = await openHome(home);
    try {
        const records = await rebase(opened, base);
        print(`${records} records moved to ${base}; set BASE_URL=${base} from now on.`);
    }
    finally {
        await opened.close();
    }
}
//# sourceMappingURL=rebase.js.map