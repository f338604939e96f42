import type { Plain } from '../checkers/index.js';
import type { Rendering } from './rendering.js';
import {
  type Call,
  CallIds,
  inOrder,
  type Media,
  type Script,
  type Step,
  type Turn,
  turnsOf,
} from './script.js';

/** UI messages, which hold a whole turn of the assistant in one, or model messages. */
export const aiSdk: Rendering = {
  list: 'messages',
  content: 'content',
  render: (script) => {
    const isUi = script.style % 2 === 0;
    return { request: { messages: isUi ? uiMessages(script) : modelMessages(script) }, model: 'gpt-4o' };
  },
};

function uiMessages(script: Script): Plain[] {
  const ids = new CallIds(false);
  const messages = [
    ...script.instructions.map((text) => ({ role: 'system', parts: [{ type: 'text', text }] })),
    ...turnsOf(script).flatMap((turn) => uiTurn(turn, ids)),
  ];
  return messages.map((message, index) => ({ id: `m${index}`, ...message }));
}

function uiTurn({ asked, media, steps, answer }: Turn, ids: CallIds): Plain[] {
  const parts = [
    ...steps.flatMap((step) => uiStep(step, ids.next(step.calls))),
    ...(answer === undefined ? [] : [{ type: 'step-start' }, { type: 'text', text: answer, state: 'done' }]),
  ];
  return [
    {
      role: 'user',
      parts: [
        ...asked.map((text) => ({ type: 'text', text })),
        ...media.map((one) => ({ type: 'file', mediaType: mimeOf(one), url: urlOf(one) })),
      ],
    },
    ...(parts.length === 0 ? [] : [{ role: 'assistant', parts }]),
  ];
}

function uiStep({ thoughts, said, calls }: Step, ids: readonly string[]): Plain[] {
  return [
    { type: 'step-start' },
    ...thoughts.map((text) => ({ type: 'reasoning', text, state: 'done' })),
    ...(said === undefined ? [] : [{ type: 'text', text: said }]),
    ...calls.map(({ name, argument, result, resultKind }, index) => ({
      ...(resultKind === 'parts' ? { type: 'dynamic-tool', toolName: name } : { type: `tool-${name}` }),
      toolCallId: ids[index],
      input: { q: argument },
      ...(resultKind === 'media'
        ? { state: 'output-error', errorText: result }
        : { state: 'output-available', output: resultKind === 'text' ? result : { found: result } }),
    })),
  ];
}

function modelMessages(script: Script): Plain[] {
  const ids = new CallIds(script.areIdsReused);
  return [
    ...script.instructions.map((content) => ({ role: 'system', content })),
    ...turnsOf(script).flatMap(({ interjection, asked, media, steps, answer }): Plain[] => [
      ...(interjection === undefined ? [] : [{ role: 'system', content: interjection }]),
      asked.length === 1 && media.length === 0
        ? { role: 'user', content: asked[0] }
        : {
            role: 'user',
            content: [...asked.map((text) => ({ type: 'text', text })), ...media.map(modelMedia)],
          },
      ...steps.flatMap((step) => modelStep(step, ids.next(step.calls))),
      ...(answer === undefined ? [] : [{ role: 'assistant', content: answer }]),
    ]),
  ];
}

function modelStep({ thoughts, said, calls, areResultsReversed }: Step, ids: readonly string[]): Plain[] {
  const results = calls.map((call, index) => ({
    type: 'tool-result',
    toolCallId: ids[index],
    toolName: call.name,
    output: outputOf(call),
  }));
  return [
    {
      role: 'assistant',
      content: [
        ...thoughts.map((text) => ({ type: 'reasoning', text })),
        ...(said === undefined ? [] : [{ type: 'text', text: said }]),
        ...calls.map(({ name, argument }, index) => ({
          type: 'tool-call',
          toolCallId: ids[index],
          toolName: name,
          input: { q: argument },
        })),
      ],
    },
    { role: 'tool', content: inOrder(results, areResultsReversed) },
  ];
}

function outputOf({ result, resultKind }: Call): Plain {
  if (resultKind === 'text') return { type: 'text', value: result };
  if (resultKind === 'parts') return { type: 'json', value: { found: [result] } };
  return {
    type: 'content',
    value: [
      { type: 'text', text: result },
      { type: 'media', mediaType: 'image/png', data: 'AAAA' },
    ],
  };
}

function modelMedia(media: Media): Plain {
  if (media.kind === 'image') return { type: 'image', image: media.base64, mediaType: 'image/png' };
  return { type: 'file', data: urlOf(media), mediaType: mimeOf(media), filename: 'a' };
}

function mimeOf({ kind }: Media): string {
  return kind === 'document' ? 'application/pdf' : 'image/png';
}

function urlOf(media: Media): string {
  if (media.kind === 'url') return 'https://example.org/a.png';
  return `data:${mimeOf(media)};base64,${media.base64}`;
}
