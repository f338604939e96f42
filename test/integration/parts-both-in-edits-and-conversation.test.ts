import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';

const { url } = await startApi();

test('a long part before the cut comes back as text, in the edit and in the conversation', async () => {
  const whole = { type: 'text', text: 'whole '.repeat(1000) };
  const cut = { type: 'text', text: 'cut '.repeat(2000) };
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'QUJD'.repeat(2000)}` } };
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'assistant', content: [whole, image, cut] },
    { role: 'user', content: 'And?' },
  ];
  const payload = { encoding: 'o200k_base', context_window: 3000, messages, return: 'conversation' };
  const { body } = await post(url, '/v1/preflight', payload);
  expect(body.outcome).toBe('truncated');
  const content = [whole, image, { type: 'text', text: expect.stringMatching(/^(cut )+.*truncated!\]$/s) }];
  expect(body.edits).toEqual([{ op: 'replace_content', index: 1, content }]);
  expect(body.conversation.messages).toEqual([messages[0], { role: 'assistant', content }, messages[2]]);
});
