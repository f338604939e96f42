import { chatMessages, TOOLS } from './openai-chat.js';
import type { Rendering } from './rendering.js';

/** Chat messages, with files beside the content. */
export const langroid: Rendering = {
  list: 'messages',
  content: 'content',
  render: (script) => ({
    request: {
      messages: chatMessages(script, (media) => ({
        parts: [],
        beside: {
          files: media.map(({ kind, base64 }) =>
            kind === 'url'
              ? { filename: 'a.png', mime_type: 'image/png', url: 'https://example.org/a.png' }
              : {
                  filename: kind === 'image' ? 'a.png' : 'a.pdf',
                  mime_type: kind === 'image' ? 'image/png' : 'application/pdf',
                  content_base64: base64,
                },
          ),
        },
      })),
      tools: TOOLS,
    },
    model: 'gpt-4o',
  }),
};
