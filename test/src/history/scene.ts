/** An outline with a mirror, for tests of undo. */
export const scene = `
a #a
  b #b
    c #c
d #d
  (mirror c) #m
e #e`;
