// Loaded into a process before its program (`node --import`): tells, when it is asked, how long the event
// loop was held up since it was asked last, and what the process takes and holds; with `--expose-gc`,
// once all garbage is collected. The program knows nothing of it.
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
// Threads of the program are told the same arguments, and have nobody to answer to.
if (isMainThread && process.send) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    process.on('message', () => {
        // What holds up the loop now is counted once the loop goes round.
        setTimeout(() => {
            const { user, system } = process.cpuUsage();
            const took = { blocked: delay.max / 1e6, cpu: (user + system) / 1000 };
            const probed = { ...took, ...held() };
            delay.reset();
            process.send?.(probed);
        }, 20);
    });
    process.channel?.unref();
}
function held() {
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
        handles: process.getActiveResourcesInfo().length,
    };
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