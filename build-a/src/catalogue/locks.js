// Holds writers apart: one at a time for each key, many keys at once; and one that needs the whole
// catalogue to itself, such as a cascade, which must not miss a record made while it looks.
export function openLocks() {
    const queues = new Map();
    const running = new Set();
    let everything = Promise.resolve();
    async function one(key, work) {
        // A writer who comes after one that wants everything waits behind it, so that it gets its turn.
        const before = [everything, queues.get(key)];
        const done = Promise.all(before.map(settled)).then(work);
        hold(done);
        queues.set(key, done);
        try {
            return await done;
        }
        finally {
            if (queues.get(key) === done)
                queues.delete(key);
        }
    }
    async function all(work) {
        const before = [everything, ...running];
        const done = Promise.all(before.map(settled)).then(work);
        everything = done;
        hold(done);
        return done;
    }
    function hold(work) {
        running.add(work);
        void settled(work).then(() => running.delete(work));
    }
    return { one, all };
}
const settled = (work) => Promise.resolve(work).then(() => undefined, () => undefined);
//# sourceMappingURL=locks.js.map