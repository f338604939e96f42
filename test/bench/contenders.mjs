/**
 * Who counts, each loaded as its own page says for counting text that may spell special tokens.
 * @type {Readonly<Record<string, (encoding: string) => Promise<(text: string | Uint8Array) => number>>>}
 */
export const CONTENDERS = {
  preflight: async (encoding) => {
    const { loadCounter } = await import('@preflight/tokenizer');
    const counter = await loadCounter(encoding);
    return (text) => counter.count(text);
  },
  tiktoken: async (encoding) => {
    const { get_encoding } = await import('tiktoken');
    const tokenizer = get_encoding(encoding);
    return (text) => tokenizer.encode_ordinary(text).length;
  },
  'gpt-tokenizer': async (encoding) => {
    const { countTokens } = await import(`gpt-tokenizer/encoding/${encoding}`);
    const options = { disallowedSpecial: new Set() };
    return (text) => countTokens(text, options);
  },
  'ai-tokenizer': async (encoding) => {
    const { default: Tokenizer } = await import('ai-tokenizer');
    const tokenizer = new Tokenizer(await import(`ai-tokenizer/encoding/${encoding}`));
    return (text) => tokenizer.count(text);
  },
  'js-tiktoken': async (encoding) => {
    const { Tiktoken } = await import('js-tiktoken/lite');
    const { default: ranks } = await import(`js-tiktoken/ranks/${encoding}`);
    const tokenizer = new Tiktoken(ranks);
    return (text) => tokenizer.encode(text, [], []).length;
  },
};
