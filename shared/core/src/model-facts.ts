/** What a model reads beside text, and whether it can reason before it answers. */
export const CAPABILITIES = ['image', 'pdf', 'audio', 'video', 'reasoning'] as const;

export type Capability = (typeof CAPABILITIES)[number];

/** Whether a model spends output on reasoning that nobody asked for. */
export const REASONING_HABITS = ['none', 'on_request', 'always'] as const;

export type ReasoningHabit = (typeof REASONING_HABITS)[number];
