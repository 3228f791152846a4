// A home as those see it who watch over the service: how long each write took, how it ended, and
// whether the next one can be expected to succeed.
import { StorageFailed, StorageFull } from './failures.js';
/**
 * @param told is told of every write how it ended, after how many seconds
 * @param probe is written to find out whether there is space again; it changes nothing
 */
export function watchHome(home, told, probe) {
    let last = 'kept';
    async function write(entries) {
        const started = performance.now();
        try {
            await home.write(entries);
            last = 'kept';
        }
        catch (error) {
            if (error instanceof StorageFull && last !== 'failed')
                last = 'full';
            if (error instanceof StorageFailed)
                last = 'failed';
            throw error;
        }
        finally {
            told(last, (performance.now() - started) / 1000);
        }
    }
    async function state() {
        if (last === 'full')
            await write([probe()]).catch(() => undefined);
        return last;
    }
    return { ...home, write, state };
}
//# sourceMappingURL=watched.js.map