// Parts that do as they do otherwise, with the end of what is asked of them counted.
/** The accounts, with every login counted. */
export const countLogins = (accounts, { loggedIn }) => ({
    ...accounts,
    login: counted((...asked) => accounts.login(...asked), 'accepted', loggedIn),
    identify: counted((...asked) => accounts.identify(...asked), 'accepted', loggedIn),
});
/** Those who answer queries, with every query counted. */
export const countQueries = (pool, { queried }) => ({
    ...pool,
    ask: counted((...asked) => pool.ask(...asked), 'answered', queried),
});
/** The same, but told how each ended: well, or with the class of its failure. */
const counted = (ask, well, told) => async (...asked) => {
    try {
        const answer = await ask(...asked);
        told(well);
        return answer;
    }
    catch (error) {
        told(error instanceof Error ? error.constructor.name : 'unknown');
        throw error;
    }
};
//# sourceMappingURL=counted.js.map