// Records for a bench that is given none: zines with words to search for, and a copy of each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agent, holding, repository, zine } from '../../test/examples.js';
import { program } from './service.js';
/** Loads so many synthetic zines, and what belongs to them, into a new data directory. */
export async function fill(directory, zines) {
    const paths = [];
    for (const [name, records] of Object.entries(recordsOf(zines))) {
        const path = join(directory, `${name}.jsonl`);
        await writeFile(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
        paths.push(path);
    }
    const loading = spawn(process.execPath, [program, 'load', ...paths], {
        env: { ...process.env, DATA_DIR: directory },
        stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(loading, 'close'));
    if (code !== 0)
        throw new Error('the synthetic records could not be loaded');
}
const words = ['punk', 'garden', 'bicycle', 'letters', 'radio', 'kitchen', 'river', 'night'];
const wordOf = (number) => words[number % words.length] ?? '';
function recordsOf(zines) {
    const agents = Math.ceil(zines / 10);
    const times = (count, one) => Array.from({ length: count }, (_, number) => one(number));
    return {
        agents: times(agents, (n) => agent(`agent-${n}`)),
        repositories: times(5, (n) => repository(`repository-${n}`)),
        zines: times(zines, (n) => zine(`zine-${n}`, {
            title: `The ${wordOf(n)} and the ${wordOf(n * 7 + 3)}, no. ${n}`,
            creator: [`agent-${n % agents}`],
            abstract: times(40, (m) => wordOf(n * m + m)).join(' '),
        })),
        holdings: times(zines, (n) => holding(`holding-${n}`, { zine_id: `zine-${n}`, repository_id: `repository-${n % 5}` })),
    };
}
//# sourceMappingURL=synthetic.js.map