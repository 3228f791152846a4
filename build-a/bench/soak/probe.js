// Loaded into the service before it starts (`node --import`): says, when its parent asks, what the
// process holds once all garbage is collected.
import { readdirSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
// Threads of the service are told the same arguments, and have nobody to answer to.
if (isMainThread && process.send) {
    process.on('message', () => process.send?.(sample()));
    process.channel?.unref();
}
function sample() {
    // Twice, for what the first round has only found to be of no use.
    for (let round = 0; round < 2; round += 1)
        globalThis.gc?.();
    const { rss, heapUsed: heap, external } = process.memoryUsage();
    return {
        rss,
        heap,
        external,
        files: countIn('/proc/self/fd'),
        threads: countIn('/proc/self/task'),
        handles: countEach(process.getActiveResourcesInfo()),
    };
}
function countEach(names) {
    const counts = new Map();
    for (const name of names)
        counts.set(name, (counts.get(name) ?? 0) + 1);
    return Object.fromEntries(counts);
}
function countIn(directory) {
    try {
        return readdirSync(directory).length;
    }
    catch {
        // Not on Linux.
        return 0;
    }
}
//# sourceMappingURL=probe.js.map