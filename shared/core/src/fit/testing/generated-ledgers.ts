import fc from 'fast-check';
import { type Ledger, loneColumns } from '../../ledger.js';

const message = fc.record({
  content: fc.oneof(fc.nat(60), fc.nat(600)),
  attachment: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(100)),
  other: fc.nat(5),
  isUser: fc.boolean(),
});

/** Conversations of up to a dozen messages, as their tokens. */
export const ledgers: fc.Arbitrary<Ledger> = fc
  .tuple(fc.array(message, { maxLength: 12 }), fc.nat(2), fc.nat(40))
  .map(([messages, protectedCount, requestOverheadTokens]) => ({
    contentTokens: Int32Array.from(messages, (each) => each.content),
    attachmentTokens: Int32Array.from(messages, (each) => (each.isUser ? each.attachment : 0)),
    otherTokens: Int32Array.from(messages, (each) => each.other),
    ...loneColumns(messages.length),
    isUser: Uint8Array.from(messages, (each) => Number(each.isUser)),
    protectedCount,
    requestOverheadTokens,
  }));
