import type { Plain } from '../checkers/index.js';
import { pick, type Rendering } from './rendering.js';
import { type Call, CallIds, inOrder, type Media, type Step, turnsOf } from './script.js';

export const openaiResponses: Rendering = {
  list: 'input',
  content: 'content',
  render: (script) => {
    const ids = new CallIds(false);
    const [first, ...later] = script.instructions;
    const input = [
      ...later.map((text) => ({ role: 'developer', content: [{ type: 'input_text', text }] })),
      ...turnsOf(script).flatMap(({ interjection, asked, media, steps, answer }) => [
        ...(interjection === undefined ? [] : [{ role: 'system', content: interjection }]),
        userItem(asked, media),
        ...steps.flatMap((step) => stepItems(step, ids.next(step.calls))),
        ...(answer === undefined ? [] : [answerItem(answer)]),
      ]),
    ];
    return {
      request: { ...(first === undefined ? {} : { instructions: first }), input, tools: TOOLS, store: false },
      model: pick(['gpt-5', 'o3', 'gpt-4.1'], script.style),
    };
  },
};

const TOOLS = ['look_up', 'read_file'].map((name) => ({
  type: 'function',
  name,
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
  strict: true,
}));

function userItem(asked: readonly string[], media: readonly Media[]): Plain {
  if (media.length === 0 && asked.length === 1) return { role: 'user', content: asked[0] };
  const parts = media.map(({ kind, base64 }): Plain => {
    if (kind === 'url') return { type: 'input_file', file_url: 'https://example.org/a.pdf' };
    if (kind === 'image')
      return { type: 'input_image', image_url: `data:image/png;base64,${base64}`, detail: 'auto' };
    return { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${base64}` };
  });
  const texts = asked.map((text) => ({ type: 'input_text', text }));
  return { type: 'message', role: 'user', content: [...parts, ...texts] };
}

/** Reasoning stands directly before what it led to. */
function stepItems({ thoughts, said, calls, areResultsReversed }: Step, ids: readonly string[]): Plain[] {
  const outputs = calls.map((call, index) => ({
    type: 'function_call_output',
    call_id: ids[index],
    output: output(call),
  }));
  return [
    ...(thoughts.length === 0
      ? []
      : [
          {
            type: 'reasoning',
            id: `rs_${ids[0]}`,
            summary: thoughts.map((text) => ({ type: 'summary_text', text })),
            encrypted_content: 'AAAA',
          },
        ]),
    ...(said === undefined ? [] : [answerItem(said)]),
    ...calls.map(({ name, argument }, index) => ({
      type: 'function_call',
      id: `fc_${ids[index]}`,
      call_id: ids[index],
      name,
      arguments: JSON.stringify({ q: argument }),
    })),
    ...inOrder(outputs, areResultsReversed),
  ];
}

function output({ result, resultKind }: Call): unknown {
  if (resultKind === 'text') return result;
  const text = { type: 'input_text', text: result };
  if (resultKind === 'parts') return [text, { type: 'input_text', text: 'End of it.' }];
  return [text, { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }];
}

function answerItem(text: string): Plain {
  return {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
}
