// Chance that is the same at every run, and the words that it makes: few that come often and many that
// come once, as in any language (Zipf).
export function randomFrom(seed) {
    let state = seed;
    // Mulberry32: 32 bits of state, good enough for a shelf.
    function number() {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    }
    const between = (least, most) => least + Math.floor(number() * (most - least + 1));
    // The inverse of 1/x: ranks 1 to 10 together come as often as 10 to 100.
    const rank = (count) => Math.min(count - 1, Math.floor((count + 1) ** number()) - 1);
    const pick = (items) => at(items, Math.floor(number() * items.length));
    function weigh(items) {
        let left = number() * items.reduce((sum, { weight }) => sum + weight, 0);
        return items.find(({ weight }) => (left -= weight) < 0) ?? pick(items);
    }
    function some(items, count) {
        const chosen = new Set();
        while (chosen.size < Math.min(count, items.length))
            chosen.add(at(items, rank(items.length)));
        return [...chosen];
    }
    return {
        number,
        between,
        chance: (share) => number() < share,
        pick,
        weigh,
        rank,
        some,
        words: (count) => Array.from({ length: count }, () => at(dictionary, rank(dictionary.length))).join(' '),
    };
}
export function at(items, index) {
    const item = items[index];
    if (item === undefined)
        throw new Error(`there is no item ${index}`);
    return item;
}
// Words that people search for stand at ranks of their own: common, in between, and rare.
const known = new Map([
    [0, 'the'],
    [1, 'and'],
    [2, 'of'],
    [3, 'a'],
    [4, 'to'],
    [5, 'in'],
    [6, 'zine'],
    [11, 'about'],
    [40, 'music'],
    [300, 'bicycle'],
    [5000, 'marmalade'],
    [30000, 'xylophone'],
]);
// prettier-ignore
const starts = ['b', 'c', 'd', 'f', 'g', 'h', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'st', 'pr', 'gr'];
const middles = ['a', 'e', 'i', 'o', 'u', 'ea', 'ou'];
const ends = ['', '', 'n', 'r', 's', 't', 'l', 'nd', 'ck'];
/** Some 40,000 words that can be read aloud, the shorter ones in front as in life. */
const dictionary = makeDictionary(40_000);
function makeDictionary(size) {
    const random = randomFrom(7);
    const syllable = () => random.pick(starts) + random.pick(middles) + random.pick(ends);
    const words = new Set();
    while (words.size < size) {
        const syllables = random.between(1, words.size < 500 ? 2 : 4);
        words.add(Array.from({ length: syllables }, syllable).join(''));
    }
    const list = [...words];
    for (const [place, word] of known)
        list[place] = word;
    return list;
}
//# sourceMappingURL=random.js.map