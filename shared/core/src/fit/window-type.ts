/**
 * How a model's input and output share its window (formats.md §4).
 *
 * - `shared_sum`: input and requested output together must be within the window, or the provider refuses.
 * - `shared_soft`: input must be; an output that does not fit beside it is accepted, and ends where the window does.
 * - `input_capped`: the input has a limit of its own; less output makes no room for more input.
 * - `separate`: input and output have a limit each, and do not know of each other.
 */
export type WindowType = (typeof WINDOW_TYPES)[number];

export const WINDOW_TYPES = ['shared_sum', 'shared_soft', 'input_capped', 'separate'] as const;
