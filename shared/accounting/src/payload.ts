import {
  type AttachedFile,
  type Attachment,
  BlobPiece,
  BlobText,
  type Referring,
  type Steps,
  type TextRef,
} from '@preflight/core';
import { derivedFilename } from './attachment-name.js';
import { canonicalPart } from './canonical-json.js';
import { CountableWriter } from './countable-writer.js';
import { mimeTypeOfName, mimeTypeOfUrl } from './mime-types.js';
import { startsWithAscii } from './text-ends.js';

/**
 * An attachment as the text that goes over the wire: a content part as given, a Langroid file as Langroid
 * serializes it for this model (langroid-overflow §7, accounting.md §1).
 */
export function* attachmentCountable(attachment: Attachment, modelName: string): Steps<Referring> {
  if (attachment.kind === 'part') return yield* canonicalPart(attachment.part);
  const { file } = attachment;
  return isSentAsImage(file, modelName) ? imageCountable(file) : fileCountable(file);
}

function imageCountable(file: AttachedFile): Referring {
  const writer = new CountableWriter().write('{"image_url":{');
  if (file.detail) writer.write('"detail":"').writeEscaped(file.detail).write('",');
  writer.write('"url":"');
  const url = webUrl(file);
  if (url === undefined) writeDataUri(file, writer);
  else writer.writeEscaped(url);
  return writer.write('"},"type":"image_url"}').finishReferring();
}

function fileCountable(file: AttachedFile): Referring {
  const writer = new CountableWriter().write('{"file":{"file_data":"');
  writeDataUri(file, writer);
  writer.write('","filename":"');
  writeFilename(file, writer);
  return writer.write('"},"type":"file"}').finishReferring();
}

/** The name of a blob without one can be told only by who reads it. */
function writeFilename(file: AttachedFile, writer: CountableWriter): void {
  const { filename, contentBase64: content, url } = file;
  if (filename) writer.writeEscaped(filename);
  else if (!(content instanceof BlobText)) writer.write(derivedFilename(content ?? url ?? ''));
  else if (content.blob.byteLength === 0) writer.write(derivedFilename(''));
  else writer.writeMadeOf(new BlobPiece(content.blob, 'filename'));
}

function writeDataUri(file: AttachedFile, writer: CountableWriter): void {
  writer
    .write('data:')
    .writeEscaped(mimeTypeOf(file))
    .write(';base64,')
    .writeBase64(file.contentBase64 ?? '');
}

/** Gemini models get every file as an image, which is how their gateways take any type. */
export function isSentAsImage(file: AttachedFile, modelName: string): boolean {
  return modelName.toLowerCase().includes('gemini') || mimeTypeOf(file).startsWith('image/');
}

function mimeTypeOf(file: AttachedFile): string {
  if (file.mimeType) return file.mimeType;
  const ofName = file.filename && mimeTypeOfName(file.filename);
  const ofUrl = typeof file.url === 'string' ? mimeTypeOfUrl(file.url) : undefined;
  return ofName || ofUrl || 'application/octet-stream';
}

/** A URL of any other scheme is lost in the reference's serialization. */
export function webUrl({ url }: AttachedFile): TextRef | undefined {
  if (url === undefined) return undefined;
  return startsWithAscii(url, 'http://') || startsWithAscii(url, 'https://') ? url : undefined;
}
