// Chance that comes out the same in every run (mulberry32).
export function randomFrom(seed) {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}
/** One of several, which may not be none. */
export const pick = (all, random) => 
// The cast: there is one at every whole number below the length.
all[Math.floor(random() * all.length)];
/** One of several, each as often as its weight says. */
export function choose(all, random) {
    let left = random() * all.reduce((sum, { weight }) => sum + weight, 0);
    for (const one of all)
        if ((left -= one.weight) < 0)
            return one;
    return pick(all, random);
}
//# sourceMappingURL=random.js.map