/**
 * One undo reverts a few words that were typed without a pause. It works after a reload too. A step has half of
 * the bytes at most, which is enough for a deletion of tens of thousands of nodes.
 */
export const historyOptions = { groupWithin: 1000, groupLength: 30, steps: 1000, bytes: 32 * 2 ** 20, keep: true };
