import type { WatchBody } from '@preflight/contracts';
import { TextRange } from '@preflight/core';
import type { ArrivingText, ArrivingTexts } from '@preflight/pool';
import { beginsWithBase64, payloadOf } from './payload.js';

/** Of shorter texts nothing would be digested before they are there. */
const LONG_BYTES = 128 * 1024;

const QUOTE = 0x22;

/**
 * Has the payloads of attachments digested while the bodies that they are in still come. What looks like one is a long stretch of
 * base64 behind a quote: whoever guesses wrong here has digested in vain, and nothing else, since a digest is found again by where its
 * text begins and ends.
 */
export function watchPayloads(arriving: ArrivingTexts): WatchBody {
  return (memory) => {
    const { buffer } = memory;
    arriving.renew(buffer);
    let seenBytes = 0;
    /** Behind the last quote that was seen. */
    let start = 0;
    /** What begins there; null for what is no payload, undefined before it is long enough to tell. */
    let text: ArrivingText | null | undefined;
    return (receivedBytes) => {
      const news = memory.subarray(seenBytes, receivedBytes);
      const quote = news.indexOf(QUOTE);
      if (quote >= 0) {
        text?.arrive(seenBytes + quote, true);
        text = undefined;
        start = seenBytes + news.lastIndexOf(QUOTE) + 1;
      }
      seenBytes = receivedBytes;
      if (text === undefined && receivedBytes - start > LONG_BYTES) {
        const payload = payloadOf(new TextRange(buffer, start, receivedBytes));
        text = beginsWithBase64(payload) ? arriving.begin(buffer, payload.start) : null;
      }
      text?.arrive(receivedBytes, false);
    };
  };
}
