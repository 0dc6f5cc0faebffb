/** Whether this device is used with fingers. */
export const isTouch = matchMedia("(pointer: coarse)").matches;
