import type { Steps } from '../steps.js';
import type { ListedMessage } from './listed-message.js';
import { MESSAGE_TYPES } from './message-type.js';

/** What every counter has to know of a list, as columns: numbers only, so that they travel. */
export interface ListColumns {
  /** Positions in `MESSAGE_TYPES`. */
  readonly types: Uint8Array;
  /** 1 where the content is an array; else it is one text, or none. */
  readonly isArray: Uint8Array;
  /** The parts of message i are `partStarts[i]` up to `partStarts[i + 1]`. */
  readonly partStarts: Int32Array;
  /** 1 where the part has a text that is not empty. */
  readonly partHasText: Uint8Array;
}

/** Messages, or parts of one, that are looked at in one step: less than a millisecond. */
const STEP_ITEMS = 1024;

/** What a trim asks of the shape of a list, whatever its messages cost. */
export function* listColumns(messages: readonly ListedMessage[]): Steps<ListColumns> {
  const isArray = new Uint8Array(messages.length);
  const partStarts = new Int32Array(messages.length + 1);
  const hasText: boolean[] = [];
  for (let index = 0; index < messages.length; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const message = messages[index] as ListedMessage;
    isArray[index] = message.isArray ? 1 : 0;
    for (const { text } of message.parts) {
      if (hasText.length % STEP_ITEMS === STEP_ITEMS - 1) yield;
      hasText.push(text !== undefined && text !== '');
    }
    partStarts[index + 1] = hasText.length;
  }
  return { types: typesOf(messages), isArray, partStarts, partHasText: Uint8Array.from(hasText, Number) };
}

/** Positions in `MESSAGE_TYPES`; some milliseconds for 100,000 messages. */
export function typesOf(messages: readonly ListedMessage[]): Uint8Array {
  const types = new Uint8Array(messages.length);
  for (let index = 0; index < messages.length; index++)
    types[index] = MESSAGE_TYPES.indexOf((messages[index] as ListedMessage).type);
  return types;
}
