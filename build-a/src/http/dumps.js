// Dumps: all that is public, records and vocabularies, as one compressed file.
import { Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { openTurns } from '../catalogue/turns.js';
import { dumpNTriples, dumpTurtle } from '../formats/dump.js';
import { dumpFiles } from '../model/dataset.js';
import { sendFile } from './exports.js';
const writers = {
    ntriples: dumpNTriples,
    turtle: dumpTurtle,
};
export const dumpEndpoints = ({ addresses, dump }) => dumpFiles.map(({ path, title, type, format }) => ({
    path,
    name: title,
    description: 'All records and vocabularies, as far as they are public.',
    // The file is the same for those who ask for what is in it.
    formats: [
        { name: format, type: gzip },
        { name: format, type },
    ],
    methods: {
        GET(ctx) {
            const content = pipeline(Readable.from(inTurn(writers[format](dump(), addresses)), { objectMode: false }), createGzip(), () => undefined);
            sendFile(ctx, { name: path.slice(path.lastIndexOf('/') + 1), type: gzip, content });
        },
    },
}));
const gzip = 'application/gzip';
const turns = openTurns();
/** However many dumps are taken at a time, whoever asks for something else waits for one piece at most. */
async function* inTurn(pieces) {
    const source = pieces[Symbol.asyncIterator]();
    try {
        for (;;) {
            const next = await turns.take(() => source.next());
            if (next.done)
                return;
            yield next.value;
        }
    }
    finally {
        await source.return?.();
    }
}
//# sourceMappingURL=dumps.js.map