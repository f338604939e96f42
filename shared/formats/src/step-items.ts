/** Messages, or parts of one, that are read or changed in one step: some microseconds each. */
export const STEP_ITEMS = 64;
