import type { Plain } from '../checkers/index.js';
import { pick, type Rendering } from './rendering.js';
import { type Call, CallIds, inOrder, type Media, type Script, type Step, turnsOf } from './script.js';

export const anthropicMessages: Rendering = {
  list: 'messages',
  content: 'content',
  render: (script) => {
    const model = pick(['claude-sonnet-4-5', 'claude-opus-4-6', 'claude-fable-5-1'], script.style);
    const mayEndInAnswer = model === 'claude-sonnet-4-5';
    const ending = script.ending === 'answered' && !mayEndInAnswer ? 'asked' : script.ending;
    return {
      request: {
        max_tokens: 1024,
        ...systemOf(script),
        messages: messagesOf({ ...script, ending }),
        tools: TOOLS,
        thinking: { type: 'enabled', budget_tokens: 1024 },
      },
      model,
    };
  },
};

const TOOLS = ['look_up', 'read_file'].map((name) => ({
  name,
  description: 'Finds',
  input_schema: { type: 'object', properties: { q: { type: 'string' } } },
}));

function systemOf({ instructions }: Script): Plain {
  if (instructions.length === 0) return {};
  return { system: instructions.length === 1 ? instructions[0] : instructions.map(textBlock) };
}

function messagesOf(script: Script): Plain[] {
  const ids = new CallIds(false);
  const messages: Plain[] = [];
  for (const { interjection, asked, media, steps, answer } of turnsOf(script)) {
    if (interjection !== undefined && messages.length > 0)
      messages.push({ role: 'system', content: interjection });
    addUser(messages, [...media.map(mediaBlock), ...asked.map(textBlock)], script.style % 2 === 0);
    for (const step of steps) messages.push(...stepMessages(step, ids.next(step.calls)));
    if (answer !== undefined)
      messages.push({ role: 'assistant', content: script.style % 3 === 0 ? answer : [textBlock(answer)] });
  }
  return messages;
}

/** What is asked stands behind the results of the turn before, in their message, or in one of its own. */
function addUser(messages: Plain[], blocks: Plain[], isJoined: boolean): void {
  const last = messages.at(-1);
  if (isJoined && last?.role === 'user' && Array.isArray(last.content)) last.content.push(...blocks);
  else if (blocks.length === 1 && blocks[0]?.type === 'text')
    messages.push({ role: 'user', content: blocks[0].text });
  else messages.push({ role: 'user', content: blocks });
}

function stepMessages({ thoughts, said, calls, areResultsReversed }: Step, ids: readonly string[]): Plain[] {
  const results = calls.map((call, index) => ({
    type: 'tool_result',
    tool_use_id: ids[index],
    content: resultContent(call),
    is_error: false,
  }));
  return [
    {
      role: 'assistant',
      content: [
        ...thoughts.map((thinking, index) =>
          index === 0
            ? { type: 'thinking', thinking, signature: `signed-${ids[0]}` }
            : { type: 'redacted_thinking', data: 'AAAA' },
        ),
        ...(said === undefined ? [] : [textBlock(said)]),
        ...calls.map(({ name, argument }, index) => ({
          type: 'tool_use',
          id: ids[index],
          name,
          input: { q: argument },
        })),
      ],
    },
    { role: 'user', content: inOrder<Plain>(results, areResultsReversed) },
  ];
}

function resultContent({ result, resultKind }: Call): unknown {
  if (resultKind === 'text') return result;
  if (resultKind === 'parts') return [textBlock(result), textBlock('End of it.')];
  return [textBlock(result), mediaBlock({ kind: 'image', base64: 'AAAA' })];
}

function mediaBlock({ kind, base64 }: Media): Plain {
  if (kind === 'url') return { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } };
  const source = {
    type: 'base64',
    media_type: kind === 'image' ? 'image/png' : 'application/pdf',
    data: base64,
  };
  return kind === 'image' ? { type: 'image', source } : { type: 'document', source, title: 'A title' };
}

function textBlock(text: string): Plain {
  return { type: 'text', text };
}
