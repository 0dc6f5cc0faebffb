/**
 * Whether this is the thorough run, `npm run test:thorough`. It runs what `npm test` leaves out: tests repeated on storages
 * that are configured in another way, and random tests for longer.
 */
export const thorough = process.env.OUTLINE_THOROUGH === "1";

/** The factor by which random tests run longer than in `npm test`: the environment variable `OUTLINE_SOAK`, or 2 in the thorough run. */
export const soak = Math.max(1, Math.floor(Number(process.env.OUTLINE_SOAK ?? (thorough ? 2 : 1))) || 1);

const fixed = soak > 2 ? undefined : 20_261_122 + soak;

/**
 * The seed of the random tests: the environment variable `OUTLINE_SEED`, or a fixed one, so that a new failure comes from a
 * change of the code. A run that is longer than the thorough one draws a new seed.
 */
export const seed = Number(process.env.OUTLINE_SEED ?? fixed ?? Math.floor(Math.random() * 2 ** 31));
