// What a promise fails with, for tests that look closer at it than its class.
export async function failureOf(promise) {
    try {
        await promise;
    }
    catch (error) {
        return error;
    }
    throw new Error('it did not fail');
}
//# sourceMappingURL=failure.js.map