import { type Attachment, isObject, type Json, PreflightError } from '@preflight/core';
import type { ConversationRequest } from '../requests/conversation-request.js';

/** Finds attachments of a conversation by where they stand in the body, or in the provider's request. */
export class AttachmentPlaces {
  readonly #request: Json;
  readonly #pointerPrefix: string;
  /** Files know their place; parts are found by what stands there. */
  readonly #numbers: ReadonlyMap<unknown, number>;

  constructor(
    { request, pointerPrefix }: Pick<ConversationRequest, 'request' | 'pointerPrefix'>,
    attachments: readonly Attachment[],
  ) {
    this.#request = request;
    this.#pointerPrefix = pointerPrefix;
    this.#numbers = new Map(
      attachments.map((attachment, number) => [
        attachment.kind === 'file' ? attachment.pointer : (attachment.given ?? attachment.part),
        number,
      ]),
    );
  }

  /** The number of the attachment at a JSON pointer. Throws `invalid_request` at `place` where there is none. */
  numberAt(pointer: string, place: string): number {
    const prefix = this.#pointerPrefix;
    const isInBody = prefix !== '' && pointer.startsWith(`${prefix}/`);
    const inRequest = isInBody ? pointer.slice(prefix.length) : pointer;
    const found = this.#numbers.get(inRequest) ?? this.#numbers.get(valueAt(this.#request, inRequest));
    if (found !== undefined) return found;
    throw new PreflightError('invalid_request', {
      publicDetail: 'Facts are stated of an attachment that is not there.',
      issues: [{ pointer: place, detail: 'names no attachment of the conversation' }],
    });
  }
}

/** RFC 6901. */
function valueAt(request: Json, pointer: string): Json | undefined {
  const [start, ...names] = pointer
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (start !== '') return undefined;
  return names.reduce<Json | undefined>((inner, name) => {
    if (Array.isArray(inner)) return /^\d{1,9}$/.test(name) ? inner[Number(name)] : undefined;
    return isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, request);
}
