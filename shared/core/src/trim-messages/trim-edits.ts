import type { Edit } from '../edits.js';
import type { Json } from '../json.js';
import { TextRange, type TextRef } from '../text.js';
import type { ListedMessage } from './listed-message.js';
import type { KeptBytes, Shortened, TrimDecision } from './trim-decision.js';

/** The edits that make of the input what was decided, ordered by input index. */
export function trimEdits(messages: readonly ListedMessage[], { dropped, shortened }: TrimDecision): Edit[] {
  const before: Edit[] = [];
  const behind: Edit[] = [];
  const index = shortened?.index ?? messages.length;
  for (const { from, to } of dropped)
    for (let i = from; i < to; i++) (i < index ? before : behind).push({ op: 'drop', index: i });
  if (shortened === null) return before;
  const content = shortenedContent(messages[index] as ListedMessage, shortened);
  return [...before, { op: 'replace_content', index, content }, ...behind];
}

function shortenedContent({ parts }: ListedMessage, shortened: Shortened): Json {
  if ('fromPart' in shortened)
    return parts.slice(shortened.fromPart, shortened.toPart).map(({ json }) => json);
  return stretchOf(parts[shortened.part]?.text ?? '', shortened);
}

function stretchOf(text: TextRef, { startBytes, endBytes }: KeptBytes): TextRef {
  if (text instanceof TextRange)
    return new TextRange(text.buffer, text.start + startBytes, text.start + endBytes);
  return decoder.decode(encoder.encode(text).subarray(startBytes, endBytes));
}

const encoder = new TextEncoder();
// A byte-order mark at the start is text like any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
