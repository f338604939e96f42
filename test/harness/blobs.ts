import { createHash } from 'node:crypto';
import { type Sent, send } from './http.js';

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What stands in a request in place of the base64 of these bytes. */
export function referenceTo(bytes: Uint8Array, mimeType?: string) {
  return {
    digest: `sha256:${sha256(bytes)}`,
    bytes: bytes.length,
    ...(mimeType === undefined ? {} : { mime_type: mimeType }),
  };
}

export function putBlob(url: string, bytes: Uint8Array, { digest = sha256(bytes), ...more }: PutBlob = {}) {
  const headers = { 'content-length': String(bytes.length), ...more.headers };
  return send(url, { method: 'PUT', path: `/v1/blobs/${digest}`, body: bytes, ...more, headers });
}

export function headBlob(url: string, digest: string) {
  return send(url, { method: 'HEAD', path: `/v1/blobs/${digest}` });
}

interface PutBlob extends Partial<Sent> {
  readonly digest?: string;
}
