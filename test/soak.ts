/** How many times the usual effort the randomised tests make: the environment variable `OUTLINE_SOAK`, or 1. */
export const soak = Math.max(1, Math.floor(Number(process.env.OUTLINE_SOAK ?? 1)) || 1);
