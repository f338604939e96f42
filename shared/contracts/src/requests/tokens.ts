import Type from 'typebox';

/** An option in tokens. */
export const tokens = (description: string, options: { minimum?: number; default?: number } = {}) =>
  Type.Integer({ maximum: 1_000_000_000, ...options, description });
