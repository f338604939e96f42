import type { Warning } from '@preflight/contracts';
import type { ConversationRequest } from '../requests/conversation-request.js';

/** A warning when a part of the conversation is not in the request, but kept by its provider. */
export function providerStateWarning({
  format,
  request,
}: Pick<ConversationRequest, 'format' | 'request'>): Warning[] {
  const names = format.providerState?.(request) ?? [];
  if (names.length === 0) return [];
  const detail = `${names.join(', ')}: refers to what the provider keeps, which is neither counted nor cut here.`;
  return [{ code: 'provider_state', detail }];
}
