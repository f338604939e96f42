/** Types of messages as langchain-core tells them apart. `other` is what it does not know, and matches no rule. */
export const MESSAGE_TYPES = ['other', 'human', 'ai', 'system', 'tool', 'function'] as const;

export type MessageType = (typeof MESSAGE_TYPES)[number];

/** Every spelling of a type in options: that of LangChain, and the roles of providers. */
export const TYPE_OF_ROLE = {
  user: 'human',
  human: 'human',
  assistant: 'ai',
  ai: 'ai',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'function',
} as const satisfies Record<string, MessageType>;

export type RoleOfType = keyof typeof TYPE_OF_ROLE;

/** The type of a message with this role. */
export function typeOfRole(role: string): MessageType {
  return Object.hasOwn(TYPE_OF_ROLE, role) ? TYPE_OF_ROLE[role as RoleOfType] : 'other';
}
