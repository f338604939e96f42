import type { Plain } from '../checkers/index.js';
import type { Rendering } from './rendering.js';
import { type Call, CallIds, inOrder, type Media, type Step, turnsOf } from './script.js';

/** More are refused (formats.md §5). */
const MAX_DOCUMENTS = 5;

export const bedrockConverse: Rendering = {
  list: 'messages',
  content: 'content',
  render: (script) => {
    const ids = new CallIds(false);
    const { instructions } = script;
    const messages: Plain[] = [];
    let documents = 0;
    for (const { asked, media, steps, answer } of turnsOf(script)) {
      const few = media.map((one) =>
        one.kind === 'document' && ++documents > MAX_DOCUMENTS ? { ...one, kind: 'image' as const } : one,
      );
      addUser(messages, [...asked.map((text) => ({ text })), ...few.map(mediaBlock)]);
      for (const step of steps) messages.push(...stepMessages(step, ids.next(step.calls)));
      if (answer !== undefined) messages.push({ role: 'assistant', content: [{ text: answer }] });
    }
    return {
      request: {
        ...(instructions.length > 0 && { system: instructions.map((text) => ({ text })) }),
        messages,
        toolConfig: { tools: TOOLS },
        inferenceConfig: { maxTokens: 1024 },
      },
      model: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
    };
  },
};

const TOOLS = ['look_up', 'read_file'].map((name) => ({
  toolSpec: { name, inputSchema: { json: { type: 'object', properties: { q: { type: 'string' } } } } },
}));

/** Roles alternate: what is asked stands behind the results of the turn before, in their message. */
function addUser(messages: Plain[], blocks: Plain[]): void {
  const last = messages.at(-1);
  if (last?.role === 'user') (last.content as Plain[]).push(...blocks);
  else messages.push({ role: 'user', content: blocks });
}

function stepMessages({ thoughts, said, calls, areResultsReversed }: Step, ids: readonly string[]): Plain[] {
  const results = calls.map((call, index) => ({
    toolResult: { toolUseId: ids[index], status: 'success', content: resultContent(call) },
  }));
  return [
    {
      role: 'assistant',
      content: [
        ...thoughts.map((text) => ({ reasoningContent: { reasoningText: { text, signature: 'signed' } } })),
        ...(said === undefined ? [] : [{ text: said }]),
        ...calls.map(({ name, argument }, index) => ({
          toolUse: { toolUseId: ids[index], name, input: { q: argument } },
        })),
      ],
    },
    { role: 'user', content: inOrder<Plain>(results, areResultsReversed) },
  ];
}

function resultContent({ result, resultKind }: Call): Plain[] {
  if (resultKind === 'text') return [{ text: result }];
  if (resultKind === 'parts') return [{ text: result }, { json: { of: result.length } }];
  return [{ text: result }, { image: { format: 'png', source: { bytes: 'AAAA' } } }];
}

function mediaBlock({ kind, base64 }: Media): Plain {
  if (kind === 'document')
    return { document: { format: 'pdf', name: 'neutral name', source: { bytes: base64 } } };
  if (kind === 'image') return { image: { format: 'png', source: { bytes: base64 } } };
  return { image: { format: 'png', source: { s3Location: { uri: 's3://bucket/a.png' } } } };
}
