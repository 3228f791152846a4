// Work that nobody waits for by the millisecond, such as the batches of all exports: one piece at a
// time, and after each the event loop goes round, so that however many exports there are, a request
// is held up by one batch at most. And long work of small steps, which does not hold anybody up either.
import { atMost } from '../turns.js';
export const openTurns = () => ({ take: atMost(1, pause) });
/** Lets everybody else have a turn. */
export const pause = () => new Promise((resolve) => void setImmediate(resolve));
/** How long others wait for work in steps, in milliseconds. */
const longest = 8;
/** Does all steps of a work, and lets others have a turn now and then. */
export async function inSteps(work) {
    let began = performance.now();
    while (!work.next().done)
        if (performance.now() - began > longest) {
            await pause();
            began = performance.now();
        }
}
//# sourceMappingURL=turns.js.map