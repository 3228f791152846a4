// Answers that were asked for lately, by what was asked; the least lately asked for goes first.
/** @param room how much there may be of all answers together, besides the last one */
export function openKept(room, sizeOf) {
    const answers = new Map();
    let size = 0;
    function drop(question) {
        size -= answers.get(question)?.size ?? 0;
        answers.delete(question);
    }
    function keep(question, answer) {
        drop(question);
        for (const oldest of answers.keys()) {
            if (size <= room)
                break;
            drop(oldest);
        }
        // A question can be longer than its answer.
        const own = sizeOf(answer) + question.length;
        answers.set(question, { answer, size: own });
        size += own;
    }
    return {
        get(question) {
            const kept = answers.get(question);
            if (kept) {
                // A Map keeps its order of arrival.
                answers.delete(question);
                answers.set(question, kept);
            }
            return kept?.answer;
        },
        keep,
    };
}
//# sourceMappingURL=kept.js.map