// A queue for what must not happen too often at once.
/**
 * Lets so many tasks run at a time; the others wait, first come first served.
 * @param rest what has to happen after each before the next has its turn; who gave the task does not wait
 */
export function atMost(places, rest) {
    const waiting = [];
    let free = places;
    // The place goes to the next in line directly, so that no newcomer slips in between.
    function passOn() {
        const next = waiting.shift();
        if (next)
            next();
        else
            free += 1;
    }
    return async (task) => {
        if (free > 0)
            free -= 1;
        else
            await new Promise((go) => waiting.push(go));
        try {
            return await task();
        }
        finally {
            if (rest)
                void rest().then(passOn);
            else
                passOn();
        }
    };
}
//# sourceMappingURL=turns.js.map