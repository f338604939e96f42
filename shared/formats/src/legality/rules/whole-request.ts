import { isAbsent, type JsonObject } from '@preflight/core';
import type { Scan } from '../legality.js';

/** There is something to answer, in the list or where else the provider takes it. */
export function notEmpty(list: string, isElsewhere: (request: JsonObject) => boolean = () => false): Scan {
  return ({ request, messages }) => ({
    see: () => [],
    end: () => (messages.length > 0 || isElsewhere(request) ? [] : [{ code: 'no_messages', path: [list] }]),
  });
}

/** Somebody besides the system has spoken. */
export function notOnlySystem(list: string): Scan {
  return () => {
    let hasAnySpoken = false;
    return {
      see({ role }) {
        hasAnySpoken ||= role !== 'system';
        return [];
      },
      end: () => (hasAnySpoken ? [] : [{ code: 'no_messages', path: [list] }]),
    };
  };
}

/** A field that the provider cannot do without. */
export function hasField(name: string): Scan {
  return ({ request, isConversationAlone }) => ({
    see: () => [],
    end: () =>
      isConversationAlone || !isAbsent(request[name]) ? [] : [{ code: 'missing_field', path: [name] }],
  });
}

/** Models by whose own interface is theirs. What a gateway is asked for has its name in front, with a slash. */
const VENDORS = [
  { vendor: 'Anthropic', model: /^claude-/ },
  { vendor: 'Google', model: /^gemini-/ },
  { vendor: 'OpenAI', model: /^(gpt-\d|chatgpt-|o\d(-|$))/ },
] as const;

/** The model is none of another vendor, whose own interface does not take this format. */
export function modelIsOf(own: (typeof VENDORS)[number]['vendor']): Scan {
  return ({ model, request }) => ({
    see: () => [],
    end: () =>
      VENDORS.some(({ vendor, model: names }) => vendor !== own && names.test(model))
        ? [{ code: 'model_of_another', path: isAbsent(request.model) ? [] : ['model'] }]
        : [],
  });
}
