import type { Plain } from '../checkers/index.js';
import { pick, type Rendering } from './rendering.js';
import { type Call, CallIds, inOrder, type Media, type Step, turnsOf } from './script.js';

export const gemini: Rendering = {
  list: 'contents',
  content: 'parts',
  render: (script) => {
    const ids = new CallIds(false);
    const hasIds = script.style % 2 === 0;
    const { instructions } = script;
    const contents = turnsOf(script).flatMap(({ asked, media, steps, answer }) => [
      { role: 'user', parts: [...media.map(mediaPart), ...asked.map((text) => ({ text }))] },
      ...steps.flatMap((step) => stepContents(step, ids.next(step.calls), hasIds)),
      ...(answer === undefined
        ? []
        : [
            {
              role: 'model',
              parts: [
                { text: 'Hm.', thought: true },
                { text: answer, thoughtSignature: 'BBBB' },
              ],
            },
          ]),
    ]);
    return {
      request: {
        ...(instructions.length > 0 && {
          systemInstruction: { parts: instructions.map((text) => ({ text })) },
        }),
        contents,
        tools: TOOLS,
        generationConfig: { maxOutputTokens: 1024 },
      },
      model: pick(['gemini-2.5-pro', 'gemini-3-pro-preview'], script.style),
    };
  },
};

const TOOLS = [
  {
    functionDeclarations: ['look_up', 'read_file'].map((name) => ({
      name,
      parameters: { type: 'OBJECT', properties: { q: { type: 'STRING' } } },
    })),
  },
];

/** Calls without ids are answered in their order. */
function stepContents(step: Step, ids: readonly string[], hasIds: boolean): Plain[] {
  const { thoughts, said, calls, areResultsReversed } = step;
  const idOf = (index: number) => (hasIds ? { id: ids[index] } : {});
  const responses = calls.map((call, index) => ({
    functionResponse: {
      ...idOf(index),
      name: call.name,
      response: { result: call.result },
      ...mediaOf(call),
    },
  }));
  return [
    {
      role: 'model',
      parts: [
        ...thoughts.map((text) => ({ text, thought: true })),
        ...(said === undefined ? [] : [{ text: said }]),
        ...calls.map(({ name, argument }, index) => ({
          functionCall: { ...idOf(index), name, args: { q: argument } },
          ...(index === 0 && { thoughtSignature: 'AAAA' }),
        })),
      ],
    },
    { role: 'user', parts: inOrder(responses, areResultsReversed && hasIds) },
  ];
}

function mediaOf({ resultKind }: Call): Plain {
  return resultKind === 'media' ? { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] } : {};
}

function mediaPart({ kind, base64 }: Media): Plain {
  if (kind === 'url')
    return { fileData: { fileUri: 'https://example.org/a.pdf', mimeType: 'application/pdf' } };
  if (kind === 'image') return { inlineData: { mimeType: 'image/png', data: base64 } };
  return { inline_data: { mime_type: 'application/pdf', data: base64 } };
}
