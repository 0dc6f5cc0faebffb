/** The steps that are left of work that was done at once: none. Most texts are short, and a generator for each costs too much. */
export const atOnce: Iterable<undefined> = [];
