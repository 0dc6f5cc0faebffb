/** How many times the usual effort the randomised tests make: the environment variable `OUTLINE_SOAK`, or 1. */
export const soak = Math.max(1, Math.floor(Number(process.env.OUTLINE_SOAK ?? 1)) || 1);

/**
 * What random tests begin with: the environment variable `OUTLINE_SEED`. Without it, `npm test` tries the same values at each run,
 * so that what fails is what was changed, and a longer run tries new ones.
 */
export const seed = Number(process.env.OUTLINE_SEED ?? (soak === 1 ? 20_261_123 : Math.floor(Math.random() * 2 ** 31)));
