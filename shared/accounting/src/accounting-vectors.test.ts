import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type AttachedFile,
  type Conversation,
  type Countable,
  finish,
  type Json,
  type MediaFacts,
  type Message,
  TextRange,
  type TextRef,
  writePiece,
} from '@preflight/core';
import { get_encoding, type Tiktoken } from 'tiktoken';
import { describe, expect, it } from 'vitest';
import {
  attachmentCountable,
  canonicalJson,
  type Figure,
  MEDIA_RULES,
  type MediaConditions,
  messageOverhead,
  type Overhead,
  overheadRuleFor,
  providerFigure,
  requestOverhead,
  rulesForModel,
} from './index.js';

interface Vector {
  readonly id: string;
  readonly model: string;
  readonly input: ChatInput | PayloadInput | MediaInput | ToolPromptInput;
  readonly tokens: number | null;
  readonly tolerance?: number;
  readonly tokensMin?: number;
  readonly tokensMax?: number;
  readonly error?: string;
  readonly payloadChars?: number;
}
interface ChatInput {
  readonly kind: 'chat';
  readonly encoding: 'cl100k_base' | 'o200k_base';
  readonly messages: readonly { role: string; content: string; name?: string; function_call?: Json }[];
  readonly functions?: readonly Json[];
}
interface PayloadInput {
  readonly kind: 'payload';
  readonly encoding: 'cl100k_base' | 'o200k_base';
  readonly mime?: string;
  readonly filename?: string;
  readonly url?: string;
  readonly detail?: string;
  readonly bytes?: { readonly fill: number; length: number } | { readonly keyed: string; length: number };
}

/** Facts, and the conditions beside them. */
interface MediaInput extends MediaConditions {
  readonly kind: 'image' | 'pdf' | 'audio' | 'video';
  readonly width: number;
  readonly height: number;
  readonly pages: number;
  readonly textTokens?: number;
  readonly seconds: number;
  readonly audio?: boolean;
}
interface ToolPromptInput {
  readonly kind: 'tool_prompt';
  readonly toolChoice: string;
  readonly tools: number;
}

const VECTORS = readFileSync(new URL('vectors/accounting.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1) // The first line says where the others come from.
  .map((line) => JSON.parse(line) as Vector);

const ENCODERS = { cl100k_base: get_encoding('cl100k_base'), o200k_base: get_encoding('o200k_base') };
const FAMILIES: Readonly<Record<string, string>> = {
  'gpt-3.5-turbo': 'gpt-3.5',
  'gpt-4': 'gpt-4',
  'gpt-4o': 'gpt-4o',
};

describe('chat vectors', () => {
  const vectors = VECTORS.filter(({ input }) => input.kind === 'chat');

  it('are all here', () => expect(vectors).toHaveLength(25));

  it.each(vectors)('$id', ({ model, input, tokens, tolerance }) => {
    const { encoding, messages, functions } = input as ChatInput;
    const encoder = ENCODERS[encoding];
    const conversation: Conversation = {
      messages: messages.map(toMessage),
      // As formats have it: what stands in front of everything else.
      protectedCount: messages.findIndex(({ role }) => role !== 'system'),
      tools: functions ?? [],
    };
    const rule = overheadRuleFor(FAMILIES[model]);
    expect(rule.basis).toBe('formula');
    let counted = sum(finish(requestOverhead(conversation, rule)), encoder);
    for (const message of conversation.messages) {
      counted += sum(finish(messageOverhead(message, rule)), encoder);
      for (const text of message.texts) counted += count([text], encoder);
    }
    expect(Math.abs(counted - (tokens as number))).toBeLessThanOrEqual(tolerance as number);
  });
});

describe('media vectors', () => {
  const vectors = VECTORS.filter(({ input }) => ['image', 'pdf', 'audio', 'video'].includes(input.kind));

  it('are all here', () => expect(vectors).toHaveLength(136));

  it.each(vectors)('$id', ({ model, input, tokens, tolerance = 0, tokensMin, tokensMax, error }) => {
    const media = input as MediaInput;
    const figure = providerFigure(factsOf(media), rulesForModel(MEDIA_RULES, model, undefined), media);
    if (error !== undefined) return expect(figure).toMatchObject({ tokens: null, error });
    const least = tokensMin ?? (tokens as number) - tolerance;
    const most = tokensMax ?? (tokens as number) + tolerance;
    expect(figure.tokens).toBeGreaterThanOrEqual(least);
    expect(figure.tokens).toBeLessThanOrEqual(most);
    // What was measured or published lies within the bounds.
    expect(figure.high).toBeGreaterThanOrEqual(tokens as number);
    expect((figure as Figure).low).toBeLessThanOrEqual(tokens as number);
  });
});

describe('tool prompt vectors', () => {
  const vectors = VECTORS.filter(({ input }) => input.kind === 'tool_prompt');

  it('are all here', () => expect(vectors).toHaveLength(14));

  it.each(vectors)('$id', ({ model, input, tokens }) => {
    const { toolChoice, tools } = input as ToolPromptInput;
    const tool = { name: 'f', input_schema: {} };
    const conversation = {
      messages: [],
      protectedCount: 0,
      tools: Array.from({ length: tools }, () => tool),
      toolChoice: { type: toolChoice },
    };
    const overheads = finish(requestOverhead(conversation, overheadRuleFor('claude', model)));
    const counted = sum(
      overheads.filter(({ kind }) => kind === 'tools'),
      ENCODERS.o200k_base,
    );
    // The schemas themselves count as text, beside what is said about them.
    const schemaTokens = count(finish(canonicalJson(tool)), ENCODERS.o200k_base);
    expect(counted - tools * schemaTokens).toBe(tokens);
  });
});

function factsOf({ kind, width, height, pages, textTokens, seconds, audio }: MediaInput): MediaFacts {
  switch (kind) {
    case 'image':
      return { kind, widthPx: width, heightPx: height };
    case 'pdf':
      return { kind, pages, ...(textTokens !== undefined && { textTokens }) };
    case 'audio':
      return { kind, seconds };
    case 'video':
      return { kind, seconds, ...(audio !== undefined && { hasAudio: audio }) };
  }
}

describe('payload vectors', () => {
  const vectors = VECTORS.filter(({ input }) => input.kind === 'payload');

  it('are all here', () => expect(vectors).toHaveLength(15));

  it.each(vectors)('$id', ({ model, input, tokens, payloadChars }) => {
    const payload = input as PayloadInput;
    const encoder = ENCODERS[payload.encoding];
    for (const asText of [(text: string) => text, rangeOf]) {
      const countable = finish(
        attachmentCountable(
          { kind: 'file', pointer: '/messages/0/files/0', file: toFile(payload, asText) },
          model,
        ),
      ) as Countable;
      expect(bytesOf(countable).length).toBe(payloadChars);
      expect(count(countable, encoder)).toBe(tokens);
    }
  });
});

function toMessage({ role, content, name, function_call }: ChatInput['messages'][number]): Message {
  return {
    role,
    texts: [content],
    attachments: [],
    ...(name === undefined ? {} : { name }),
    ...(function_call === undefined ? {} : { functionCall: function_call }),
  };
}

function toFile(input: PayloadInput, asText: (text: string) => TextRef): AttachedFile {
  const { mime = 'image/png', filename, url, detail, bytes } = input;
  return {
    mimeType: mime,
    ...(filename === undefined ? {} : { filename }),
    ...(url === undefined ? {} : { url: asText(url) }),
    ...(detail === undefined ? {} : { detail }),
    ...(bytes === undefined ? {} : { contentBase64: asText(generate(bytes).toString('base64')) }),
  };
}

function generate(bytes: NonNullable<PayloadInput['bytes']>): Buffer {
  if ('fill' in bytes) return Buffer.alloc(bytes.length, bytes.fill);
  const blocks = Array.from({ length: Math.ceil(bytes.length / 32) }, (_, index) =>
    createHash('sha256').update(`${bytes.keyed}-${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, bytes.length);
}

function rangeOf(text: string): TextRange {
  const bytes = Buffer.from(text);
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return new TextRange(buffer, 0, bytes.length);
}

function sum(overheads: readonly Overhead[], encoder: Tiktoken): number {
  let tokens = 0;
  for (const { countables, subtracted, constantTokens } of overheads) {
    tokens += constantTokens;
    for (const countable of countables) tokens += count(countable, encoder);
    for (const countable of subtracted) tokens -= count(countable, encoder);
  }
  return tokens;
}

function count(countable: Countable, encoder: Tiktoken): number {
  return encoder.encode_ordinary(bytesOf(countable).toString()).length;
}

function bytesOf(countable: Countable): Buffer {
  return Buffer.concat(
    countable.map((piece) => {
      if (typeof piece === 'string') return Buffer.from(piece);
      if (piece instanceof TextRange) return piece.bytes();
      const bytes = typeof piece.text === 'string' ? Buffer.from(piece.text) : piece.text.bytes();
      return writePiece(piece, bytes) ?? Buffer.alloc(0);
    }),
  );
}
