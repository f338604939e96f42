import type { Format, FormatName } from './format.js';
import { langroid } from './langroid.js';
import { openaiChat } from './openai-chat.js';

export type { Format, FormatName, ParseResult } from './format.js';
export { MAX_ISSUES } from './issue-list.js';

/** Every format by its name. */
export const formats: Readonly<Record<FormatName, Format>> = { 'openai-chat': openaiChat, langroid };
