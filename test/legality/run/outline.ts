/** Values under these names are words of the format, not of the conversation. */
const WORDS = new Set([
  'role',
  'type',
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'toolCallId',
  'toolUseId',
  'state',
]);

/** A request without what is said in it: strings become their lengths, but for roles, types and ids. */
export function outline(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return WORDS.has(name) ? value : `<${value.length}>`;
  if (Array.isArray(value)) return value.map((item) => outline(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, outline(member, key)]));
}
