// A queue for what must not happen too often at once.
/** Lets so many tasks run at a time; the others wait, first come first served. */
export function atMost(places) {
    const waiting = [];
    let free = places;
    return async (task) => {
        if (free > 0)
            free -= 1;
        else
            await new Promise((go) => waiting.push(go));
        try {
            return await task();
        }
        finally {
            // The place goes to the next in line directly, so that no newcomer slips in between.
            const next = waiting.shift();
            if (next)
                next();
            else
                free += 1;
        }
    };
}
//# sourceMappingURL=turns.js.map