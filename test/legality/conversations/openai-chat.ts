import type { Plain } from '../checkers/index.js';
import { pick, type Rendering } from './rendering.js';
import { type Call, CallIds, inOrder, type Media, type Script, type Step, turnsOf } from './script.js';

export const openaiChat: Rendering = {
  list: 'messages',
  content: 'content',
  render: (script) => ({
    request: { messages: chatMessages(script, partsOfMedia), tools: TOOLS, temperature: 0 },
    model: pick(['gpt-4o', 'gpt-5', 'own-model'], script.style),
  }),
};

export const TOOLS = ['look_up', 'read_file'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: 'Finds',
    parameters: { type: 'object', properties: { q: { type: 'string' } } },
  },
}));

/** Media as parts of the content, or beside it. */
type WriteMedia = (media: readonly Media[]) => { readonly parts: Plain[]; readonly beside?: Plain };

/** Messages of Chat Completions; what is beside the content of a user message is the dialect's. */
export function chatMessages(script: Script, writeMedia: WriteMedia): Plain[] {
  const ids = new CallIds(script.areIdsReused);
  const instruction = pick(['system', 'developer'], script.style);
  return [
    ...script.instructions.map((text, index) => ({
      role: index === 0 ? 'system' : instruction,
      content: index === 1 ? [{ type: 'text', text }] : text,
    })),
    ...turnsOf(script).flatMap(({ interjection, asked, media, steps, answer }) => [
      ...(interjection === undefined ? [] : [{ role: 'system', content: interjection }]),
      userMessage(asked, writeMedia(media)),
      ...steps.flatMap((step, index) =>
        (script.style + index) % 5 === 0 && step.calls.length === 1
          ? legacyStep(step)
          : chatStep(step, ids.next(step.calls)),
      ),
      ...(answer === undefined ? [] : [{ role: 'assistant', content: answer, refusal: null }]),
    ]),
  ];
}

function userMessage(asked: readonly string[], { parts, beside }: ReturnType<WriteMedia>): Plain {
  const isPlainText = parts.length === 0 && asked.length === 1;
  const content = isPlainText ? asked[0] : [...parts, ...asked.map((text) => ({ type: 'text', text }))];
  return { role: 'user', content, ...beside };
}

function chatStep({ said, thoughts, calls, areResultsReversed }: Step, ids: readonly string[]): Plain[] {
  const results = calls.map((call, index) => ({
    role: 'tool',
    tool_call_id: ids[index],
    content: resultContent(call),
  }));
  return [
    {
      role: 'assistant',
      content: said ?? null,
      ...(thoughts.length > 0 && { reasoning_content: thoughts.join('\n') }),
      tool_calls: calls.map(({ name, argument }, index) => ({
        id: ids[index],
        type: 'function',
        function: { name, arguments: JSON.stringify({ q: argument }) },
      })),
    },
    ...inOrder(results, areResultsReversed),
  ];
}

function legacyStep({ said, calls }: Step): Plain[] {
  const [{ name, argument, result }] = calls as [Call];
  return [
    {
      role: 'assistant',
      content: said ?? null,
      function_call: { name, arguments: JSON.stringify({ q: argument }) },
    },
    { role: 'function', name, content: result },
  ];
}

/** Results are text only (formats.md §1). */
function resultContent({ result, resultKind }: Call): unknown {
  return resultKind === 'text'
    ? result
    : [
        { type: 'text', text: result },
        { type: 'text', text: 'End of it.' },
      ];
}

export function partsOfMedia(media: readonly Media[]) {
  return {
    parts: media.map(({ kind, base64 }): Plain => {
      if (kind === 'url') return { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
      if (kind === 'image')
        return { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}`, detail: 'low' } };
      return {
        type: 'file',
        file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${base64}` },
      };
    }),
  };
}
