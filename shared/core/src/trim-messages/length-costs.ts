import { typesOf } from './list-columns.js';
import type { ListCosts } from './list-costs.js';
import type { ListedMessage } from './listed-message.js';

/** The counter `len`: each message is one token. A shortened one would be as well, so that parts do not matter. */
export function lengthCosts(messages: readonly ListedMessage[]): ListCosts {
  const none = new Int32Array();
  return {
    types: typesOf(messages),
    tokens: new Int32Array(messages.length).fill(1),
    isArray: new Uint8Array(messages.length),
    partStarts: new Int32Array(messages.length + 1),
    partHasText: new Uint8Array(),
    partTokens: none,
    partUnits: none,
    fixedTokens: 1,
    unitsPerToken: 1,
    unitsBesideArray: new Int32Array(messages.length),
    unitsBesideText: new Int32Array(messages.length),
  };
}
