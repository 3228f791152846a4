// One worker, as the main thread sees it: filled with a replica of what everybody may see, kept up to
// date, asked one question at a time, and ended.
import { Worker } from 'node:worker_threads';
import { iri } from '../rdf/terms.js';
import { openBacklog } from '../store/backlog.js';
import { Busy, FormRefused, QueryRefused, UpdateRefused } from './failures.js';
/** The worker was ended, or broke, before it answered. */
export class SeatLost extends Error {
}
/** @param lost is told, once, that the worker ended, whether by `end` or by itself */
export function openSeat(store, start, lost) {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
        workerData: start,
        // What is outside of WebAssembly: the tree of the query and the text of the answer.
        resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    let waiting;
    let failure;
    /** What was committed while the replica was being filled; undefined once it is. */
    let late = [];
    const backlog = openBacklog((commit) => post({ kind: 'change', ...commit }));
    const graphs = start.graphs.map(iri);
    const unwatch = store.watch(graphs, (commit) => {
        if (late)
            late.push(commit);
        else
            backlog.add(commit);
    });
    worker.on('message', (message) => {
        if (message.kind === 'loaded')
            waiting?.done();
        if (message.kind === 'answered')
            waiting?.done(message.answer);
        if (message.kind === 'refused')
            waiting?.failed(refusals[message.because](message.why));
        if (message.kind === 'broken')
            lose(new SeatLost(message.why));
    });
    worker.on('error', (error) => lose(new SeatLost(error.message, { cause: error })));
    worker.on('exit', () => lose(new SeatLost('the worker ended')));
    function lose(why) {
        if (failure)
            return;
        failure = why;
        unwatch();
        backlog.close();
        waiting?.failed(why);
        void worker.terminate();
        lost(why);
    }
    const post = (message) => worker.postMessage(message);
    async function tell(message) {
        if (failure)
            throw failure;
        try {
            return await new Promise((done, failed) => {
                waiting = { done, failed };
                post(message);
            });
        }
        finally {
            waiting = undefined;
        }
    }
    // A piece at a time, so that neither side has the whole of it in its hands.
    async function fill() {
        // Who asks elsewhere holds nothing.
        if (start.engine)
            return;
        for await (const nquads of store.dump(graphs))
            await tell({ kind: 'load', nquads });
        if (failure)
            throw failure;
        late?.forEach(backlog.add);
        late = undefined;
    }
    return {
        ready: fill(),
        async ask(question) {
            backlog.flush();
            const answer = await tell({ kind: 'ask', question });
            if (!answer)
                throw new SeatLost('the worker gave no answer');
            return answer;
        },
        async end() {
            lose(new SeatLost('the worker was ended'));
            await worker.terminate();
        },
    };
}
/** How long to wait before asking an engine again that did not answer, in seconds. */
const pause = 5;
const refusals = {
    query: (why) => new QueryRefused(why),
    update: () => new UpdateRefused(),
    form: (why) => new FormRefused(why),
    busy: (why) => new Busy(why, pause),
};
//# sourceMappingURL=seat.js.map