// What the main thread and a worker say to each other.
export {};
//# sourceMappingURL=messages.js.map