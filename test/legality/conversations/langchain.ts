import type { Plain } from '../checkers/index.js';
import { pick, type Rendering } from './rendering.js';
import { type Call, CallIds, inOrder, type Media, type Step, turnsOf } from './script.js';

type Kind = 'human' | 'ai' | 'system' | 'tool';

/** Messages as they are stored, as their constructors are serialized, or plain. */
export const langchain: Rendering = {
  list: 'messages',
  content: 'content',
  render: (script) => {
    const ids = new CallIds(script.areIdsReused);
    const write = pick([stored, constructed, plain], script.style);
    const messages = [
      ...script.instructions.map((content) => write('system', { content })),
      ...turnsOf(script).flatMap(({ interjection, asked, media, steps, answer }) => [
        ...(interjection === undefined ? [] : [write('system', { content: interjection })]),
        write('human', { content: contentOf(asked, media) }),
        ...steps.flatMap((step) =>
          stepFields(step, ids.next(step.calls)).map(([kind, fields]) => write(kind, fields)),
        ),
        ...(answer === undefined ? [] : [write('ai', { content: answer })]),
      ]),
    ];
    return { request: { messages }, model: 'gpt-4o' };
  },
};

function stored(type: Kind, data: Plain): Plain {
  return { type, data };
}

const CLASSES = { human: 'HumanMessage', ai: 'AIMessage', system: 'SystemMessage', tool: 'ToolMessage' };

function constructed(kind: Kind, kwargs: Plain): Plain {
  return { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', CLASSES[kind]], kwargs };
}

const ROLES = { human: 'user', ai: 'assistant', system: 'system', tool: 'tool' };

function plain(kind: Kind, fields: Plain): Plain {
  return { role: ROLES[kind], ...fields };
}

function contentOf(asked: readonly string[], media: readonly Media[]): unknown {
  if (asked.length === 1 && media.length === 0) return asked[0];
  return [...asked.map((text) => ({ type: 'text', text })), ...media.map(mediaBlock)];
}

function mediaBlock({ kind, base64 }: Media): Plain {
  if (kind === 'url') return { type: 'image', url: 'https://example.org/a.png' };
  if (kind === 'image') return { type: 'image', mimeType: 'image/png', data: base64 };
  return { type: 'file', mime_type: 'application/pdf', base64 };
}

function stepFields(step: Step, ids: readonly string[]): [Kind, Plain][] {
  const { thoughts, said, calls, areResultsReversed } = step;
  const results = calls.map((call, index): [Kind, Plain] => [
    'tool',
    { content: resultContent(call), tool_call_id: ids[index], name: call.name, status: 'success' },
  ]);
  const toolCalls = calls.map(({ name, argument }, index) => ({
    id: ids[index],
    name,
    args: { q: argument },
    type: 'tool_call',
  }));
  const content =
    thoughts.length === 0
      ? (said ?? '')
      : [
          ...thoughts.map((reasoning) => ({ type: 'reasoning', reasoning })),
          ...(said === undefined ? [] : [{ type: 'text', text: said }]),
        ];
  return [['ai', { content, tool_calls: toolCalls }], ...inOrder(results, areResultsReversed)];
}

function resultContent({ result, resultKind }: Call): unknown {
  if (resultKind === 'text') return result;
  if (resultKind === 'parts')
    return [
      { type: 'text', text: result },
      { type: 'text', text: 'End of it.' },
    ];
  return [
    { type: 'text', text: result },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
  ];
}
