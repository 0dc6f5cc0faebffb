/**
 * Whether this is the thorough run, `npm run test:thorough`. It runs what `npm test` leaves out: tests
 * repeated on storages with another configuration, and longer random tests.
 */
export const thorough = process.env.OUTLINE_THOROUGH === "1";

/** Whether this is a part of `npm test`, which leaves long tests to the thorough run. */
export const short = process.env.OUTLINE_THOROUGH === "0";

/** The factor of random tests, 1 in `npm test`: the variable `OUTLINE_SOAK`, or 2 in the thorough run. */
export const soak = Math.max(1, Math.floor(Number(process.env.OUTLINE_SOAK ?? (thorough ? 2 : 1))) || 1);

const fixed = soak > 2 ? undefined : 20_261_122 + soak;

/**
 * The seed of the random tests: the variable `OUTLINE_SEED`, or a fixed one. So a new failure comes from a
 * change of the code. A run that is longer than the thorough one draws a new seed.
 */
export const seed = Number(process.env.OUTLINE_SEED ?? fixed ?? Math.floor(Math.random() * 2 ** 31));
