import { finish, type Json, type JsonObject, TextRange } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { FORMATS, type Format } from './index.js';
import { placeSummary } from './place-summary.js';

const block = (text: string) => `<earlier_conversation>\n${text}\n</earlier_conversation>`;
const user = { role: 'user', content: 'hi' };
const chat = { list: 'messages' };

function place(
  request: Parameters<typeof placeSummary>[0],
  where: Parameters<typeof placeSummary>[1],
  text = 'new',
) {
  return placeSummary(request, where, text);
}

describe('in the system message', () => {
  test.each([
    { what: 'behind a text', content: 'Be kind.', left: `Be kind.\n\n${block('new')}` },
    { what: 'alone', content: '', left: block('new') },
    {
      what: 'in place of an earlier one',
      content: `Be kind.\n\n${block('old')}`,
      left: `Be kind.\n\n${block('new')}`,
    },
    { what: 'with text behind it', content: `${block('old')}!`, left: `${block('new')}!` },
    {
      what: 'as a part',
      content: [{ type: 'text', text: 'Be kind.' }],
      left: [
        { type: 'text', text: 'Be kind.' },
        { type: 'text', text: block('new') },
      ],
    },
    {
      what: 'in the part of an earlier one',
      content: [{ type: 'text', text: block('old'), x: 1 }],
      left: [{ type: 'text', text: block('new'), x: 1 }],
    },
  ])('$what', ({ content, left }) => {
    const request = { messages: [{ role: 'system', content }, user] };
    expect(place(request, chat)).toEqual({ op: 'replace_content', index: 0, content: left });
  });

  test('that came as bytes', () => {
    const bytes = Buffer.from(`Be kind.${block('old')}`);
    const buffer = new SharedArrayBuffer(bytes.length);
    new Uint8Array(buffer).set(bytes);
    const request = { messages: [{ role: 'system', content: new TextRange(buffer, 0, bytes.length) }] };
    expect(place(request, chat)).toMatchObject({ content: `Be kind.${block('new')}` });
  });

  test('in the form of the first message, where the format can make one', () => {
    const made = (messages: JsonObject[]) =>
      placeSummary({ messages }, FORMATS.langchain.instructions, 'new');
    const content = block('new');
    const inserted = (message: JsonObject) => ({ op: 'insert', before: 0, message });
    expect(made([{ type: 'human', data: { content: 'hi' } }])).toEqual(
      inserted({ type: 'system', data: { content } }),
    );
    expect(made([{ lc: 1, type: 'constructor', id: ['HumanMessage'], kwargs: { content: 'hi' } }])).toEqual(
      inserted({
        lc: 1,
        type: 'constructor',
        id: ['langchain_core', 'messages', 'SystemMessage'],
        kwargs: { content },
      }),
    );
    expect(made([user])).toEqual(inserted({ role: 'system', content }));
    expect(made([{ type: 'human', content: 'hi' }])).toEqual(inserted({ type: 'system', content }));
    expect(placeSummary({ messages: [] }, FORMATS['openai-chat'].instructions, 'new')).toEqual(
      inserted({ role: 'system', content }),
    );
  });

  test('or in a field that holds one message, several, or a content', () => {
    const system = { role: 'system', content: 'Be kind.' };
    const placed = { role: 'system', content: `Be kind.\n\n${block('new')}` };
    const ofSdk = (value: Json) =>
      placeSummary({ messages: [user], system: value }, FORMATS['ai-sdk'].instructions, 'new');
    expect(ofSdk(system)).toMatchObject({ pointer: '/system', value: placed });
    expect(ofSdk([system, system])).toMatchObject({ value: [system, placed] });
    expect(ofSdk([{ ...system, content: block('old') }, system])).toMatchObject({
      value: [{ ...system, content: block('new') }, system],
    });
    const systemInstruction = { role: 'system', parts: [{ text: 'Be kind.' }] };
    const given = { contents: [], system_instruction: systemInstruction };
    expect(placeSummary(given, FORMATS.gemini.instructions, 'new')).toEqual({
      op: 'set',
      pointer: '/system_instruction',
      value: { role: 'system', parts: [{ text: 'Be kind.' }, { text: block('new') }] },
    });
  });

  test('only if there is one, where none can be made', () => {
    expect(place({ messages: [user] }, chat)).toBeUndefined();
    expect(place({ messages: [] }, chat)).toBeUndefined();
  });
});

describe('in every format with instructions', () => {
  const requests: Record<string, object> = {
    'openai-chat': { messages: [{ role: 'system', content: 'Be kind.' }, user] },
    langroid: { messages: [{ role: 'system', content: 'Be kind.' }, user] },
    'anthropic-messages': { messages: [user], max_tokens: 9 },
    'bedrock-converse': { messages: [{ role: 'user', content: [{ text: 'hi' }] }] },
    'openai-responses': { input: 'hi' },
    gemini: { contents: [{ parts: [{ text: 'hi' }] }] },
    langchain: { messages: [{ type: 'system', data: { content: 'Be kind.' } }] },
    'ai-sdk': { messages: [{ id: '1', role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] }] },
  };

  test.each(Object.values(FORMATS).flatMap((format: Format) => (format.instructions ? [format] : [])))(
    '$name, placing it twice is placing it once, and it is read',
    (format) => {
      const given = requests[format.name] as Parameters<typeof placeSummary>[0];
      const placed = (request: typeof given, text: string) => {
        const edit = placeSummary(request, format.instructions as NonNullable<Format['instructions']>, text);
        return finish(format.apply(request, edit === undefined ? [] : [edit]));
      };
      const once = placed(given, 'new');
      expect(placed(placed(given, 'old'), 'new')).toEqual(once);
      const parsed = finish(format.parse(once));
      expect('conversation' in parsed && JSON.stringify(parsed.conversation)).toContain(
        'earlier_conversation',
      );
    },
  );
});
