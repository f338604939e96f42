import fc from 'fast-check';
import { listOf, type Plain } from '../checkers/index.js';
import { aiSdk } from './ai-sdk.js';
import { anthropicMessages } from './anthropic-messages.js';
import { bedrockConverse } from './bedrock-converse.js';
import { type Disturbance, disturb, disturbances } from './disturb.js';
import { gemini } from './gemini.js';
import { langchain } from './langchain.js';
import { langroid } from './langroid.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import type { Rendering } from './rendering.js';
import { scripts, sometimes } from './script.js';

export const RENDERINGS: Readonly<Record<string, Rendering>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  gemini,
  'bedrock-converse': bedrockConverse,
  'ai-sdk': aiSdk,
  langchain,
  langroid,
};

export interface Generated {
  readonly format: string;
  readonly request: Plain;
  readonly model: string;
  /** What was done to it after it was written; without that, its provider takes it. */
  readonly disturbance: Disturbance | undefined;
}

/** A field that no provider knows, which says where a message stood: it survives every edit. */
export const TRACE = 'stood_at';

/** Conversations in one format: every second or so as it would be written, the others disturbed. */
export function conversations(format: string): fc.Arbitrary<Generated> {
  const rendering = RENDERINGS[format];
  if (rendering === undefined) throw new Error(`no generator for ${format}`);
  const { list } = rendering;
  return fc.tuple(scripts, sometimes(disturbances, 1, 1)).map(([script, disturbance]) => {
    const { request, model } = rendering.render(script);
    const changed = disturbance === undefined ? request : disturb(request, rendering, disturbance);
    const messages = listOf(changed[list]).map((message, index) => ({
      ...(message as Plain),
      [TRACE]: index,
    }));
    return { format, request: { ...changed, [list]: messages }, model, disturbance };
  });
}
