import { median } from '../statistics.mjs';

export const title = 'Long conversations';

const SIZES = { full: [10_000, 100_000], quick: [1000, 10_000] };

/** Tokens that every message is said to have: texts are short, and what is measured is not how they are counted. */
const CONTENT_TOKENS = { system: 20, user: 60, assistant: 40, tool: 200 };
const MARKER_TOKENS = 6;

/**
 * Conversations of tool pairs, brought to two thirds, one half and one tenth of their tokens by each strategy: the plan
 * (units, roles and the decision, every cut answered at once) and the edits, on one thread without a pause.
 */
export async function run({ isQuick, repeats, log }) {
  const [core, { FORMATS }] = await Promise.all([import('@preflight/core'), import('@preflight/formats')]);
  const format = FORMATS['openai-chat'];
  const records = [];
  for (const messageCount of isQuick ? SIZES.quick : SIZES.full) {
    const request = { messages: Array.from({ length: messageCount }, (_, index) => message(index)) };
    const { conversation } = core.finish(format.parse(request));
    for (const strategy of Object.keys(core.STRATEGIES)) {
      const planMs = [];
      const editsMs = [];
      for (let i = 0; i < repeats + 2; i++) {
        for (const part of [2 / 3, 1 / 2, 1 / 10]) {
          const startMs = performance.now();
          const ledger = ledgerOf(core, conversation);
          const decision = decide(core, ledger, strategy, part);
          const plannedMs = performance.now();
          if (decision.outcome !== 'refused') {
            const edits = core.finish(format.edits(request, conversation, decision));
            core.finish(format.apply(request, edits));
          }
          if (i > 1) {
            planMs.push(plannedMs - startMs);
            editsMs.push(performance.now() - plannedMs);
          }
        }
      }
      records.push({ messageCount, strategy, planMs: median(planMs), editsMs: median(editsMs) });
      log(`${strategy}, ${messageCount}`);
    }
  }
  return records;
}

function message(index) {
  if (index === 0) return { role: 'system', content: 'Answer briefly.' };
  const id = `call_${index - (index % 4)}`;
  if (index % 4 === 1) return { role: 'user', content: `What is the tide at berth ${index}?` };
  if (index % 4 === 2) {
    const call = { id, type: 'function', function: { name: 'tide', arguments: `{"berth":${index}}` } };
    return { role: 'assistant', content: null, tool_calls: [call] };
  }
  if (index % 4 === 3) return { role: 'tool', tool_call_id: id, content: `{"berth":${index},"tide":"high"}` };
  return { role: 'assistant', content: `High at berth ${index}.` };
}

function ledgerOf({ finish, ledgerRoles, turnStarts, unitsOf }, { messages, protectedCount }) {
  const { units, unitFaults } = finish(unitsOf(messages));
  return {
    contentTokens: Int32Array.from(messages, ({ role, texts }) =>
      texts.length > 0 ? CONTENT_TOKENS[role] : 0,
    ),
    attachmentTokens: new Int32Array(messages.length),
    otherTokens: new Int32Array(messages.length).fill(4),
    boundTokens: new Int32Array(messages.length),
    units,
    unitFaults,
    roles: ledgerRoles(messages),
    isUser: turnStarts(messages, units),
    protectedCount,
    requestOverheadTokens: 3,
  };
}

function decide({ historyTokens, startFit }, ledger, strategy, part) {
  const fit = startFit(ledger, {
    strategies: [strategy],
    contextWindowTokens: null,
    budgetTokens: Math.round(historyTokens(ledger) * part),
    maxOutputTokens: 1024,
    minOutputTokens: 64,
    bufferTokens: 300,
    markerTokens: MARKER_TOKENS,
  });
  let { step } = fit;
  while (step.type === 'cut') {
    const { index, keepTokens, elidedTokens } = step;
    const contentTokens = elidedTokens === undefined ? keepTokens + MARKER_TOKENS : 9;
    step = fit.next({ index, textIndex: 0, keepBytes: 8, elidedTokens, contentTokens });
  }
  return step.decision;
}

export function tables(records) {
  return [
    {
      caption: 'milliseconds on one thread, medians over budgets of two thirds, one half and one tenth',
      columns: ['strategy', 'messages', 'plan', 'edits', 'both'],
      rows: records.map(({ strategy, messageCount, planMs, editsMs }) => [
        strategy,
        messageCount,
        planMs.toFixed(1),
        editsMs.toFixed(1),
        (planMs + editsMs).toFixed(1),
      ]),
    },
  ];
}
