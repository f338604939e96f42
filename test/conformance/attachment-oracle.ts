import type { VectorFile } from './langroid-vectors.js';

/** What is counted for a file, straight from langroid-overflow §7 and independent of the product's code. */
export function serializeFile(file: VectorFile, model: string): string {
  const data = `data:${file.mime_type};base64,${file.content_base64 ?? ''}`;
  const isImage = file.mime_type.startsWith('image/') || model.toLowerCase().includes('gemini');
  if (!isImage) return canonical({ type: 'file', file: { filename: file.filename, file_data: data } });
  const url = /^https?:\/\//.test(file.url ?? '') ? file.url : data;
  return canonical({ type: 'image_url', image_url: { url, ...(file.detail && { detail: file.detail }) } });
}

/** Keys sorted at every level, no spaces, ASCII only, 0x7F escaped. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ascii(JSON.stringify(value));
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${ascii(JSON.stringify(key))}:${canonical(entry)}`).join(',')}}`;
}

function ascii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
