// What pages show of the collection as a whole, all the time: counted once, and kept until something
// is written.
import { openTurns } from '../catalogue/turns.js';
import { firstOf } from './asked.js';
export function keepNumbers(catalogue) {
    let kept = { edition: -1, numbers: new Map() };
    const turns = openTurns();
    function keep(name, count) {
        const edition = catalogue.edition();
        if (kept.edition !== edition)
            kept = { edition, numbers: new Map() };
        const { numbers } = kept;
        const known = numbers.get(name);
        // Under a name there is always what the same counting gave.
        if (known)
            return known;
        const counted = turns.take(count);
        numbers.set(name, counted);
        counted.catch(() => numbers.delete(name));
        return counted;
    }
    return {
        survey: () => keep('survey', () => catalogue.survey()),
        tally: (name, filter) => keep(`${name} ${filter}`, () => catalogue.tally(name, filter)),
        newest: () => keep('newest', async () => (await catalogue.list('zines', firstOf(6), 'list')).sheets),
    };
}
//# sourceMappingURL=numbers.js.map